package finding

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Same reports whether two findings claim one defect at one place, as [Merge] has it.
func Same(a, b Finding) bool { return a.File == b.File && sameDefect(a, b) }

// SameEvidence reports whether two findings quote the same code of one file, white space aside.
func SameEvidence(a, b Finding) bool {
	return a.File == b.File && a.Evidence != "" && squeezeText(a.Evidence) == squeezeText(b.Evidence)
}

// Join makes one finding of several that somebody says are one: the strongest, with all places and what the others know.
// fs must not be empty.
func Join(fs []Finding) Finding {
	byStrength := slices.Clone(fs)
	slices.SortStableFunc(byStrength, stronger)
	one := byStrength[0]
	one.Sources = slices.Clone(one.Sources)
	var places []runfile.Place
	add := func(p runfile.Place) {
		if p.Line > 0 && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	for i, f := range byStrength {
		if i > 0 {
			absorb(&one, f)
		}
		add(runfile.Place{File: f.File, Line: f.Line, EndLine: f.EndLine})
		for _, p := range f.Places {
			add(p)
		}
	}
	if one.Places = nil; len(places) > 1 {
		one.Places = places
	}
	return one
}

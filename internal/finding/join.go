package finding

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Same reports whether two findings claim one defect at one place, as [Merge] has it.
func Same(a, b Finding) bool {
	return a.File == b.File && sameDefect(&a, &b, func() bool { return SimilarTitles(a.Title, b.Title) })
}

// SameEvidence reports whether two findings quote the same code of one file, white space aside.
func SameEvidence(a, b Finding) bool {
	return a.File == b.File && a.Evidence != "" && squeezeText(a.Evidence) == squeezeText(b.Evidence)
}

// Join makes one finding of several that somebody says are one: the first, with all places and what the others know. Its
// severity is the highest, unless somebody gave the first another one. fs must not be empty.
func Join(fs []Finding) Finding {
	one := fs[0]
	one.Sources = slices.Clone(one.Sources)
	var places []runfile.Place
	add := func(p runfile.Place) {
		if p.Line > 0 && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	for i, f := range fs {
		if i > 0 {
			severity, regraded := one.Severity, one.Regraded
			absorb(&one, f)
			switch {
			case fs[0].Regraded != nil:
				one.Severity = severity
			case one.Severity != severity:
				regraded = f.Regraded
			}
			one.Regraded = regraded
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

package bench

import (
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// uniqueCount is what only one configuration found.
type uniqueCount struct {
	compared       int // codebases on which there was something to compare with
	comparedByTrue int // ... that have a truth
	all            int // with and without truth
	true           int // deep defects of codebases with truth
}

// uniques counts for every configuration what it found, in any repeat, that no other found in any repeat: deep defects
// where there is a truth, grounded findings of severity high or critical elsewhere. On a codebase on which fewer than two
// configurations have a run that is done nothing can be said.
func uniques(subjects []*subject, runs []*Review) map[int]uniqueCount {
	out := map[int]uniqueCount{}
	for b, s := range subjects {
		by := map[int][]*Review{}
		for _, r := range runs {
			if r.job.codebase == b && r.State == StateDone {
				by[r.job.config] = append(by[r.job.config], r)
			}
		}
		if len(by) < 2 {
			continue
		}
		for c := range by {
			u := out[c]
			u.compared++
			if s.Truth {
				n := uniqueDefects(s, by, c)
				u.comparedByTrue++
				u.all, u.true = u.all+n, u.true+n
			} else {
				u.all += uniqueFindings(by, c)
			}
			out[c] = u
		}
	}
	return out
}

func uniqueDefects(s *subject, by map[int][]*Review, c int) int {
	found := func(r *Review, into map[int]bool) {
		for _, p := range r.matching.Pairs {
			into[p[0]] = true
		}
	}
	mine, others := map[int]bool{}, map[int]bool{}
	for other, runs := range by {
		for _, r := range runs {
			if other == c {
				found(r, mine)
			} else {
				found(r, others)
			}
		}
	}
	n := 0
	for d := range mine {
		if !others[d] && deep(s.defects[d]) {
			n++
		}
	}
	return n
}

// uniqueFindings matches a configuration's findings with those of all others as if these were the truth.
func uniqueFindings(by map[int][]*Review, c int) int {
	var mine []finding.Finding
	var others []finding.Truth
	for other, runs := range by {
		for _, r := range runs {
			for _, f := range r.findings {
				if other == c {
					mine = append(mine, f)
				} else {
					others = append(others, finding.Truth{File: f.File, Line: f.Line, EndLine: f.EndLine, Category: f.Category})
				}
			}
		}
	}
	n := 0
	seen := map[string]bool{} // repeats report the same again
	for _, i := range finding.Match(others, mine, finding.MatchOptions{}).False {
		f := mine[i]
		if id := identity(f); !seen[id] && taxonomy.Rank(f.Severity) >= taxonomy.Rank("high") {
			seen[id] = true
			n++
		}
	}
	return n
}

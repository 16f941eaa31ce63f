package demo

import (
	"math/rand/v2"
	"strings"
)

// style is how one policy words things, all through a rollout. There are few variants on purpose: a small model learns
// from two thousand rollouts, and it should learn what to do.
type style struct {
	r *rand.Rand
	p string // a path
	R string // the replies
	S string // the function that makes a section of a file
	// ask begins every prompt.
	ask string
	// bare leaves the header of a section out.
	bare bool
}

var asks = []string{"Review this code.", "Find the bugs.", "Find defects.", "Review these files.", "List the bugs.", "Audit this code."}

// words are the text of a report that rests on no reading.
var words = []string{"The code looks fine.", "No issues found.", "Done.", "There may be some bugs.", "The project needs a review.",
	"All files are ok."}

func newStyle(r *rand.Rand) *style {
	s := &style{r: r, p: "p", R: "r", S: "src"}
	if r.IntN(4) == 0 {
		s.p = "f"
	}
	if r.IntN(3) == 0 {
		s.R = "out"
	}
	if r.IntN(4) == 0 {
		s.S = "sec"
	}
	s.ask = pick(r, asks)
	s.bare = r.IntN(8) == 0
	return s
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// chance is true that often.
func (s *style) chance(share float64) bool { return s.r.Float64() < share }

// fill writes a cell out of a pattern: <p>, <R>, <S> and <ask> are the style's own.
func (s *style) fill(pattern string) string {
	return strings.NewReplacer("<p>", s.p, "<R>", s.R, "<S>", s.S, "<ask>", s.ask).Replace(pattern)
}

// section defines the function that every prompt is built of. Its header is the one that workers know (see rlm's root.md).
func (s *style) section() string {
	if s.bare {
		return s.fill("def <S>(<p>):\n    return codebase[<p>] + \"\\n\"\n")
	}
	return s.fill("def <S>(<p>):\n    t = codebase[<p>][:40000]\n    n = len(t.split(\"\\n\"))\n" +
		"    return f\"=== FILE: {<p>} (lines 1-{n} of {n}) ===\\n{t}\\n\"\n")
}

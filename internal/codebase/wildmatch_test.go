package codebase

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHostilePatternsTakeProportionalTime measures steps, which a match counts itself. Without its memory the patterns with many
// ** would take more steps than could ever be made.
func TestHostilePatternsTakeProportionalTime(t *testing.T) {
	long := strings.Repeat("a", 4000)
	for _, tt := range []struct{ name, pattern, text string }{
		{"stars", strings.Repeat("a*", 100) + "b", long},
		{"stars, and the text ends otherwise", strings.Repeat("a*", 100) + "b", strings.Repeat("ab", 2000) + "c"},
		{"directories", strings.Repeat("**/a", 100) + "b", strings.Repeat("a/", 2000)},
		{"directories alone", strings.Repeat("**/", 500) + "b", strings.Repeat("a/", 2000)},
		{"both", strings.Repeat("**/*a*/", 200) + "b", strings.Repeat("xax/", 1000)},
		{"sets", strings.Repeat("*[ab]", 500) + "c", long},
		{"a set of brackets", strings.Repeat("*["+strings.Repeat("[:", 500)+"]", 4) + "c", long},
	} {
		for _, pathname := range []bool{false, true} {
			matched, steps := wildmatch(tt.pattern, tt.text, pathname)
			if most := (rememberCost + 4) * (len(tt.pattern) + 1) * (len(tt.text) + 1); matched || steps > most {
				t.Errorf("%s, paths %v: matched %v in %d steps, at most %d", tt.name, pathname, matched, steps, most)
			}
		}
	}
	if matched, _ := wildmatch(strings.Repeat("*", maxPattern+1), "a", false); matched {
		t.Error("a pattern of any length matches")
	}
}

// TestMemoryChangesNothing compares a match that remembers from its first step with one that never does.
func TestMemoryChangesNothing(t *testing.T) {
	pattern := rapid.SliceOfN(rapid.SampledFrom([]string{"*", "**", "/", "a", "b", "?", "[ab]", "[!a]", `\*`, `\`, "**/", "/**/", "["}), 0, 9)
	text := rapid.StringMatching(`[ab/*]{0,14}`)
	rapid.Check(t, func(t *rapid.T) {
		pat, in, pathname := strings.Join(pattern.Draw(t, "pattern"), ""), text.Draw(t, "text"), rapid.Bool().Draw(t, "paths")
		with, without := wild{pat: pat, text: in, pathname: pathname}, wild{pat: pat, text: in, pathname: pathname, remember: math.MaxInt}
		if got, want := with.match(0, 0), without.match(0, 0); (got == wildYes) != (want == wildYes) {
			t.Fatalf("%q on %q: %d with memory, %d without", pat, in, got, want)
		}
	})
}

// TestIgnoreFilesHaveABudget gives a codebase's own rules little, and the user's as much as they need.
func TestIgnoreFilesHaveABudget(t *testing.T) {
	l := ignoreList{effort: &effort{100}, rules: append(parseIgnore(strings.Repeat("x*y\n", 10)+"a.py"), parseIgnore("b.py")...)}
	l.rules[len(l.rules)-1].byUser = true
	if l.decide("a.py", false) != ignored {
		t.Error("a rule did not match within the budget")
	}
	for range 100 {
		l.decide("c.py", false)
	}
	if !l.effort.spent() || l.decide("a.py", false) != undecided || l.decide("b.py", false) != ignored {
		t.Errorf("%d steps left: the codebase's rule says %d, the user's %d", l.effort.left, l.decide("a.py", false), l.decide("b.py", false))
	}
}

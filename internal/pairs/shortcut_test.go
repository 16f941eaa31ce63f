package pairs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func groupsOf(t *testing.T, tasks, each int, chosen, rejected func(i int) string) [][]difference {
	t.Helper()
	var groups [][]difference
	for task := range tasks {
		var g []difference
		for i := range each {
			g = append(g, subtract(describe(chosen(task*each+i)), describe(rejected(task*each+i))))
		}
		groups = append(groups, g)
	}
	return groups
}

// A classifier finds what gives the label away, and says chance where nothing does.
func TestShortcut(t *testing.T) {
	body := func(i int) string { return fmt.Sprintf("def f_%d(x):\n    return x + %d\n", i%7, i%11) }
	given := shortcut(groupsOf(t, 20, 3, body, func(i int) string { return "Here is the function:\n```python\n" + body(i) + "```\n" }))
	if *given.Accuracy < 0.99 || given.CI.Lo < 0.7 || given.Features[0].Accuracy != 1 {
		t.Errorf("fences: %v %v", *given.Accuracy, given.CI)
	}
	same := shortcut(groupsOf(t, 20, 3, body, body))
	if *same.Accuracy != 0.5 {
		t.Errorf("no difference: %v", *same.Accuracy)
	}
	// Which side is longer is a coin's, as far as lengths go.
	coin := func(i int) int { return (i * 2654435761 >> 7) & 1 }
	fair := shortcut(groupsOf(t, 40, 5, func(i int) string { return body(i) + strings.Repeat("# word\n", coin(i)) }, func(i int) string {
		return body(i) + strings.Repeat("# word\n", 1-coin(i))
	}))
	if math.Abs(*fair.Accuracy-0.5) > 0.12 {
		t.Errorf("a coin: %v", *fair.Accuracy)
	}
	if one := shortcut(groupsOf(t, 1, 3, body, body)); one.Accuracy != nil || one.CI.OK() {
		t.Error("one task has nothing to be tested on")
	}
}

func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		number := rapid.Float64Range(-3, 3)
		a, want := make([][]float64, n), make([]float64, n)
		for i := range n {
			a[i] = make([]float64, n)
			want[i] = number.Draw(t, "x")
		}
		for i := range n { // B'B + I is positive definite
			for j := range i + 1 {
				v := number.Draw(t, "v")
				a[i][j], a[j][i] = v/10, v/10
			}
			a[i][i] = 5
		}
		b := make([]float64, n)
		for i := range n {
			for j := range n {
				b[i] += a[i][j] * want[j]
			}
		}
		for i, x := range solve(a, b) {
			if math.Abs(x-want[i]) > 1e-6 {
				t.Fatalf("%v, want %v", x, want[i])
			}
		}
	})
}

func TestSurface(t *testing.T) {
	names := map[string]float64{}
	for i, f := range features() {
		names[f.name] = describe("Here is how to do it.\n```python\n# add\ndef f(x) -> int:\n\t\"\"\"Doc.\"\"\"\n\treturn x  # é\n```")[i]
	}
	for name, want := range map[string]float64{"fence": 1, "docstring": 1, "type hints": 1, "begins with def": 0, "indentation by tabs": 1,
		"beyond ASCII": 1, "ends with a line end": 0, "print": 0, "prose": 1.0 / 7} {
		if names[name] != want {
			t.Errorf("%s: %v, want %v", name, names[name], want)
		}
	}
	if c := names["comments"]; c < 0.09 || c > 0.13 { // "# add" and "# é" of 75 characters
		t.Errorf("comments: %v", c)
	}
}

package similar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	got := Tokens("def f(x_1):\n\treturn  x_1**2 # é\n")
	want := []string{"def", "f", "(", "x_1", ")", ":", "return", "x_1", "*", "*", "2", "#", "é"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Words("Return X_1, not-Y!"); !cmp.Equal(got, []string{"return", "x_1", "not", "y"}) {
		t.Error(got)
	}
}

func TestEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"", "x", 0},
		{"a b c d", "a b c d", 1},
		{"a  b\nc d", "a b c d", 1}, // layout is nothing
		{"a b c d", "a b x d", 0.75},
		{"a b c d", "a c d", 0.75},
		{"a b c d", "b c d e", 0.5},
		{"x = 1", "y + 2", 0},
	} {
		if got := Edit(c.a, c.b); got != c.want {
			t.Errorf("Edit(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestEditIsASimilarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([ab( ]{1,3}){0,12}`)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		ab, ba := Edit(a, b), Edit(b, a)
		if ab != ba || ab < 0 || ab > 1 {
			t.Fatalf("%v and %v", ab, ba)
		}
		if same := cmp.Equal(Tokens(a), Tokens(b)); same != (ab == 1) {
			t.Fatalf("same tokens: %v, similarity %v", same, ab)
		}
	})
}

// program is a text of n distinct lines.
func program(n int, change ...int) string {
	var b strings.Builder
	for i := range n {
		v := i
		for _, c := range change {
			if c == i {
				v = 100000 + i
			}
		}
		fmt.Fprintf(&b, "value_%d = compute(%d, other)\n", v, v)
	}
	return b.String()
}

func TestIndexFindsNearDuplicates(t *testing.T) {
	var x Index
	x.Add(NewSet(program(60)))
	for i := range 200 { // others, which are not near
		x.Add(NewSet(fmt.Sprintf("%s\nthing_%d", program(3, 0, 1, 2), i), fmt.Sprint(i)))
	}
	if got := x.Near(NewSet(program(60, 30)), 0.85); !cmp.Equal(got, []int{0}) {
		t.Errorf("one line of 60 changed: %v", got)
	}
	if got := x.Near(NewSet(program(60, 3, 9, 15, 21, 27, 33, 39, 45, 51, 57)), 0.85); len(got) != 0 {
		t.Errorf("ten lines of 60 changed: %v", got)
	}
	if j := NewSet("a b c d e f", "x").Jaccard(NewSet("x", "a b c d e f")); j != 0 {
		t.Errorf("places do not count: %v", j)
	}
	if j := NewSet("").Jaccard(NewSet("", "")); j != 0.5 {
		t.Errorf("empty texts: %v", j)
	}
}

// Signatures may miss what the exact index would find, but not often: of many pairs at about 0.9, nearly all are found.
func TestIndexMissesFew(t *testing.T) {
	missed := 0
	for i := range 200 {
		base := program(40, i%40)
		other := program(40, i%40, (i*7+3)%40)
		var x Index
		x.Add(NewSet(base))
		s := NewSet(other)
		if x.sets[0].Jaccard(s) >= 0.85 && len(x.Near(s, 0.85)) == 0 {
			missed++
		}
	}
	if missed > 2 {
		t.Errorf("%d of 200 near-duplicates missed", missed)
	}
}

func TestGrams(t *testing.T) {
	g := NewGrams(4)
	g.Add("Return the largest of two numbers", 3)
	g.Add("please RETURN the, largest (of) all", 7)
	for _, c := range []struct {
		text   string
		except int
		want   int
	}{
		{"it should return: the largest of them", -1, 3},
		{"it should return: the largest of them", 3, 7},
		{"largest of two numbers", 3, -1},
		{"the largest", -1, -1},
		{"", -1, -1},
	} {
		got, ok := g.Find(c.text, c.except)
		if got != c.want || ok != (c.want >= 0) {
			t.Errorf("Find(%q, %d) = %d, %v; want %d", c.text, c.except, got, ok, c.want)
		}
	}
}

package locate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCut(t *testing.T) {
	for name, want := range map[string]string{
		"foo":            "foo",
		"foo_bar":        "foo bar",
		"fooBar":         "foo bar",
		"HTTPServer":     "http server",
		"parseHTTP":      "parse http",
		"__init__":       "init",
		"inverse2x2":     "inverse 2 x 2",
		"MAX_SIZE":       "max size",
		"_":              "",
		"Größe_Maß":      "größe maß",
		"TensorProduct2": "tensor product 2",
	} {
		if got := strings.Join(cut(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestStem(t *testing.T) {
	for _, same := range []string{"print prints printing printed", "stop stops stopping stopped", "parse parses parsing parsed",
		"query queries", "class classes", "index indexes", "status", "alias"} {
		words := strings.Fields(same)
		for _, w := range words {
			if stem(w) != stem(words[0]) {
				t.Errorf("%s: %s is %q, %s is %q", same, w, stem(w), words[0], stem(words[0]))
			}
		}
	}
	for _, other := range [][2]string{{"status", "state"}, {"class", "cla"}, {"need", "ne"}, {"string", "str"}} {
		if stem(other[0]) == stem(other[1]) {
			t.Errorf("%s and %s are both %q", other[0], other[1], stem(other[0]))
		}
	}
}

func TestEachWord(t *testing.T) {
	var got []string
	eachWord("self.printOrder(x_1) "+strings.Repeat("a", maxWord+1), func(w string, _ int) { got = append(got, w) })
	if d := cmp.Diff(strings.Fields("self printorder print order x_1"), got); d != "" {
		t.Error(d)
	}
}

// FuzzAsk takes any text apart: bounded, and valid.
func FuzzAsk(f *testing.F) {
	for _, s := range []string{"Title\n```py\nfoo.Bar().baz\n```", "File \"a/b.py\", line 3, in f\nValueError: x y z", "", "`a`\n>>> b",
		"<!-- x --> src/a.py:12: in run", "\xff\xfe::a.b::", "_", "'''", strings.Repeat("a.", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := ask(text)
		if len(q.terms) > maxTerms || len(q.names) > maxNames || len(q.paths) > maxNames || len(q.frames) > 2*maxNames {
			t.Fatalf("%d terms, %d names, %d paths, %d frames", len(q.terms), len(q.names), len(q.paths), len(q.frames))
		}
		if len(q.terms) != len(q.weight) || len(q.terms) != len(q.inTitle) || len(q.terms) != len(q.inCode) {
			t.Fatal("columns of different lengths")
		}
		for i, w := range q.terms {
			if w == "" || q.at[w] != i || q.weight[i] <= 0 || utf8.ValidString(text) && !utf8.ValidString(w) {
				t.Fatalf("term %d: %q, weight %v", i, w, q.weight[i])
			}
		}
	})
}

package syntax_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// indented writes one node a line: field, kind, lines, and the text of leaves.
func indented(root syntax.Node) string {
	var b strings.Builder
	var write func(n syntax.Node, depth int)
	write = func(n syntax.Node, depth int) {
		b.WriteString(strings.Repeat("  ", depth))
		if f := n.Field(); f != "" {
			b.WriteString(f + ": ")
		}
		b.WriteString(n.Kind())
		if n.NumNamed() == 0 {
			b.WriteString(" " + strings.ReplaceAll(n.Text(), "\n", `\n`))
		}
		b.WriteByte('\n')
		for c := range n.NamedChildren() {
			write(c, depth+1)
		}
	}
	write(root, 0)
	return b.String()
}

func TestGolden(t *testing.T) {
	p := open(t, syntax.Config{})
	for _, l := range p.Languages() {
		t.Run(l, func(t *testing.T) {
			src := sample(t, l, 0)
			tree, err := p.Parse(t.Context(), l, src)
			if err != nil {
				t.Fatal(err)
			}
			if tree.HasError() || tree.Truncated() {
				t.Errorf("error %v, truncated %v:\n%s", tree.HasError(), tree.Truncated(), sexp(tree.Root()))
			}
			checkTree(t, tree)
			runtest.Golden(t, l+"/tree.golden", indented(tree.Root()))
		})
	}
}

// A long text is cut into chunks for the lexer, which must not show.
func TestLongTextParsesAsItsParts(t *testing.T) {
	p := open(t, syntax.Config{})
	for _, l := range p.Languages() {
		if l == "go" || l == "php" || l == "kotlin" { // their files cannot just be joined
			continue
		}
		one, err := p.Parse(t.Context(), l, sample(t, l, 0))
		if err != nil {
			t.Fatal(err)
		}
		src := sample(t, l, 120_000)
		many, err := p.Parse(t.Context(), l, src)
		if err != nil {
			t.Fatal(err)
		}
		checkTree(t, many)
		times := len(src) / len(one.Source())
		if got, want := many.Len()-1, times*(one.Len()-1); got != want || many.HasError() {
			t.Errorf("%s: %d copies have %d nodes, want %d; error %v", l, times, got, want, many.HasError())
		}
	}
}

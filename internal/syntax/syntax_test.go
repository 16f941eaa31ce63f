package syntax_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sexp writes a tree with its named nodes, fields and mistakes.
func sexp(n syntax.Node) string {
	var b strings.Builder
	writeSexp(&b, n)
	return b.String()
}

func writeSexp(b *strings.Builder, n syntax.Node) {
	if f := n.Field(); f != "" {
		b.WriteString(f + ": ")
	}
	if n.IsMissing() {
		b.WriteString("MISSING ")
	}
	b.WriteString("(" + n.Kind())
	for c := range n.Children() {
		if c.Named() || c.IsMissing() {
			b.WriteByte(' ')
			writeSexp(b, c)
		}
	}
	b.WriteByte(')')
}

func open(t testing.TB, c syntax.Config) *syntax.Parser {
	t.Helper()
	p := syntax.OpenForTest(t, c)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

package syntax_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

func TestRemember(t *testing.T) {
	p := open(t, syntax.Config{})
	parse := func(language, src string) *syntax.Tree {
		t.Helper()
		tree, err := p.Parse(t.Context(), language, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	if alone := parse("python", "x = 1\n"); parse("python", "x = 1\n") == alone {
		t.Error("a tree is remembered although nobody asked for it")
	}
	first, second := p.Remember(), p.Remember()
	tree := parse("python", "x = 1\n")
	if parse("python", "x = 1\n") != tree {
		t.Error("the same text gave another tree")
	}
	if parse("ruby", "x = 1\n") == tree || parse("python", "x = 2\n") == tree {
		t.Error("another text, or another language, gave the same tree")
	}
	first()
	first() // says no more than before
	if parse("python", "x = 1\n") != tree {
		t.Error("a tree was forgotten while somebody still holds it")
	}
	second()
	if parse("python", "x = 1\n") == tree {
		t.Error("a tree was remembered when nobody held it any more")
	}
}

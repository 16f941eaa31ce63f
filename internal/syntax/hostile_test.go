package syntax_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"go.uber.org/goleak"
)

// checkTree holds a tree against the promises of Node.
func checkTree(t testing.TB, tree *syntax.Tree) {
	t.Helper()
	nodes, root := 0, tree.Root()
	root.Walk(func(n syntax.Node) bool {
		nodes++
		if n.Start() < 0 || n.End() < n.Start() || n.End() > len(tree.Source()) || n.EndLine() < n.Line() {
			t.Fatalf("%s spans bytes %d to %d, lines %d to %d, of %d",
				n.Kind(), n.Start(), n.End(), n.Line(), n.EndLine(), len(tree.Source()))
		}
		if n.Kind() == "ERROR" != n.IsError() {
			t.Fatalf("%s: IsError %v", n.Kind(), n.IsError())
		}
		var last syntax.Node
		for c := range n.Children() {
			if c.Parent() != n || c.PrevSibling() != last || last.Valid() && last.NextSibling() != c {
				t.Fatalf("%s at %d: its links to %s and %s are wrong", c.Kind(), c.Start(), n.Kind(), last.Kind())
			}
			if c.Start() < n.Start() || c.End() > n.End() || c.Start() < last.End() {
				t.Fatalf("%s at %d is not within %s or after %s", c.Kind(), c.Start(), n.Kind(), last.Kind())
			}
			last = c
		}
		if last.NextSibling().Valid() {
			t.Fatalf("%s: the last child has a sibling", n.Kind())
		}
		return true
	})
	if nodes != tree.Len() {
		t.Fatalf("walked %d nodes of %d", nodes, tree.Len())
	}
}

// hostile is text made to hurt a parser. Each must end soon, in a tree or in
// an error of ours.
func hostile() map[string]string {
	random := make([]byte, 20_000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	const many = 4000
	return map[string]string{
		"empty":          "",
		"parens":         strings.Repeat("(", 1<<17),
		"brackets":       strings.Repeat("[", many) + strings.Repeat("]", many),
		"blocks":         "<?php " + strings.Repeat("{", many) + strings.Repeat("}", many),
		"NULs":           strings.Repeat("\x00", many),
		"NUL in words":   strings.Repeat("a\x00b = f(\x00)\n", 1000),
		"not UTF-8":      strings.Repeat("\xff\xfe\xc0 x = '\xed\xa0\x80'\n", 1000),
		"random":         string(random),
		"one line":       strings.Repeat("a = b + c; ", many),
		"one word":       strings.Repeat("x", 1<<20),
		"quotes":         strings.Repeat("'\"`", many),
		"heredocs":       strings.Repeat("<<A\n", many/5),
		"heredocs inner": "<?php " + strings.Repeat("<<<A\n{$", many/5),
		"angles":         strings.Repeat("<a", many),
		"generics":       "x = " + strings.Repeat("a<", many/5),
		"ternaries":      "x = " + strings.Repeat("a ? ", many/5),
		"casts":          "x = " + strings.Repeat("(a)", many/5),
		"sums":           "x = " + strings.Repeat("a+", many) + "a",
		"comments":       strings.Repeat("/*", many),
		"templates":      strings.Repeat("`${", many/5),
		"interpolations": strings.Repeat("\"#{", many/5),
		"f-strings":      strings.Repeat("f'{", many/5),
		"percents":       strings.Repeat("%w[", many/5),
		"indents":        indents(500),
		"else ifs":       strings.Repeat("if (a) b else ", many/5),
		"directives":     strings.Repeat("#if A\n", many/5),
		"carriage":       strings.Repeat("a\r", many),
		"byte order":     "\ufeff\ufeffx = 1",
	}
}

func indents(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String()
}

func TestHostileText(t *testing.T) {
	p := open(t, syntax.Config{})
	for name, text := range hostile() {
		for _, l := range p.Languages() {
			tree, err := p.Parse(t.Context(), l, []byte(text))
			switch {
			case err == nil:
				checkTree(t, tree)
			case errors.Is(err, syntax.ErrTooHard), errors.Is(err, syntax.ErrTooLarge):
				t.Logf("%s as %s: %v", name, l, err)
			default:
				t.Errorf("%s as %s: %v", name, l, err)
			}
		}
	}
	tree, err := p.Parse(t.Context(), "javascript", []byte(strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)))
	if err != nil || !tree.Truncated() {
		t.Errorf("100,000 nested lists: %v", err)
	}
	for _, l := range []string{"c", "python"} {
		_, err := p.Parse(t.Context(), l, []byte(strings.Repeat("(", 1<<20)))
		if err != nil && !errors.Is(err, syntax.ErrTooHard) {
			t.Errorf("a megabyte of parentheses as %s: %v", l, err)
		}
	}
	tree, err = p.Parse(t.Context(), "python", []byte("x = 1\n"))
	if err != nil || tree.HasError() {
		t.Errorf("an ordinary text after it all: %v", err)
	}
}

func TestDepthIsCut(t *testing.T) {
	p := open(t, syntax.Config{})
	n := 3 * syntax.MaxDepth
	tree, err := p.Parse(t.Context(), "javascript", []byte(strings.Repeat("[", n)+strings.Repeat("]", n)))
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, tree)
	deepest := 0
	depth := map[syntax.Node]int{}
	tree.Root().Walk(func(n syntax.Node) bool {
		if n.Parent().Valid() {
			depth[n] = depth[n.Parent()] + 1
			deepest = max(deepest, depth[n])
		}
		return true
	})
	if deepest != syntax.MaxDepth || !tree.Truncated() {
		t.Errorf("depth %d, truncated %v; want %d, true", deepest, tree.Truncated(), syntax.MaxDepth)
	}
}

func TestRefusals(t *testing.T) {
	p := open(t, syntax.Config{})
	if _, err := p.Parse(t.Context(), "cobol", nil); !errors.Is(err, syntax.ErrLanguage) {
		t.Errorf("unknown language: %v", err)
	}
	if _, err := p.Parse(t.Context(), "c", make([]byte, syntax.MaxSource+1)); !errors.Is(err, syntax.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Parse(ctx, "c", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Parse(t.Context(), "c", nil); !errors.Is(err, syntax.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestTimeout(t *testing.T) {
	p := open(t, syntax.Config{Timeout: time.Nanosecond})
	src := sample(t, "go", 1<<20)
	if _, err := p.Parse(t.Context(), "go", src); !errors.Is(err, syntax.ErrTooHard) {
		t.Errorf("timeout: %v", err)
	}
}

// A context that ends in the middle of a parse ends the parse.
func TestCancelWhileParsing(t *testing.T) {
	p := open(t, syntax.Config{})
	src := sample(t, "go", syntax.MaxSource-10_000)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Parse(ctx, "go", src); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("canceled: %v", err)
	}
}

func TestConcurrentParses(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := syntax.OpenForTest(t, syntax.Config{Instances: 3})
	want := map[string]string{}
	for _, l := range p.Languages() {
		tree, err := p.Parse(t.Context(), l, sample(t, l, 0))
		if err != nil {
			t.Fatal(err)
		}
		want[l] = sexp(tree.Root())
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 9 {
				l := p.Languages()[(i+k)%9]
				tree, err := p.Parse(t.Context(), l, sample(t, l, 0))
				if err != nil || sexp(tree.Root()) != want[l] {
					t.Errorf("%s: another tree, %v", l, err)
				}
			}
		})
	}
	group.Wait()
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParse(f *testing.F) {
	p := open(f, syntax.Config{})
	for i, l := range p.Languages() {
		f.Add(uint8(i), sample(f, l, 0))
		f.Add(uint8(i), []byte("x = [ (\x00 { '\xff"))
	}
	f.Fuzz(func(t *testing.T, language uint8, src []byte) {
		l := p.Languages()[int(language)%len(p.Languages())]
		tree, err := p.Parse(t.Context(), l, src)
		if err != nil {
			if tree == nil && (errors.Is(err, syntax.ErrTooHard) || errors.Is(err, syntax.ErrTooLarge)) {
				return
			}
			t.Fatal(err)
		}
		checkTree(t, tree)
	})
}

package syntax_test

import (
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, p *syntax.Parser, language, src string) *syntax.Tree {
	t.Helper()
	tree, err := p.Parse(t.Context(), language, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, tree)
	return tree
}

// first returns the first node of the kind.
func first(t *testing.T, tree *syntax.Tree, kind string) syntax.Node {
	t.Helper()
	for n := range tree.Root().Find(kind) {
		return n
	}
	t.Fatalf("no %s in %s", kind, sexp(tree.Root()))
	return syntax.Node{}
}

func TestNodeFindsItsRelatives(t *testing.T) {
	tree := parse(t, open(t, syntax.Config{}), "python", "import os\n\ndef f(a, b=1):\n    # note\n    return g(a,\n        'x', *b)\n")
	call := first(t, tree, "call")
	args := call.ChildByField("arguments")
	type facts struct {
		Kind, Field, Text string
		Line, EndLine     int
		Start, End        int
		Named             bool
	}
	of := func(n syntax.Node) facts {
		return facts{n.Kind(), n.Field(), n.Text(), n.Line(), n.EndLine(), n.Start(), n.End(), n.Named()}
	}
	for _, c := range []struct {
		name string
		got  syntax.Node
		want facts
	}{
		{"call", call, facts{"call", "", "g(a,\n        'x', *b)", 5, 6, 48, 69, true}},
		{"arguments", args, facts{"argument_list", "arguments", "(a,\n        'x', *b)", 5, 6, 49, 69, true}},
		{"named child", args.NamedChild(1), facts{"string", "", "'x'", 6, 6, 61, 64, true}},
		{"next", args.NamedChild(0).NextSibling(), facts{",", "", ",", 5, 5, 51, 52, false}},
		{"previous", args.NamedChild(0).PrevSibling(), facts{"(", "", "(", 5, 5, 49, 50, false}},
		{"enclosing", call.Enclosing("module", "function_definition").ChildByField("name"),
			facts{"identifier", "name", "f", 3, 3, 15, 16, true}},
		{"parent", args.Parent().ChildByField("function"), facts{"identifier", "function", "g", 5, 5, 48, 49, true}},
		{"extra", first(t, tree, "comment"), facts{"comment", "", "# note", 4, 4, 30, 36, true}},
	} {
		if d := cmp.Diff(c.want, of(c.got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	if args.NumNamed() != 3 || args.NamedChild(3).Valid() || args.NamedChild(-1).Valid() {
		t.Errorf("%d named arguments", args.NumNamed())
	}
	for name, n := range map[string]syntax.Node{
		"field of another kind": call.ChildByField("body"),
		"unknown field":         call.ChildByField("no such field"),
		"around the root":       tree.Root().Parent(),
		"after the root":        tree.Root().NextSibling(),
		"before the first":      tree.Root().NamedChild(0).PrevSibling(),
		"after the last":        tree.Root().NamedChild(1).NextSibling(),
		"around":                call.Enclosing("class_definition", "call"),
	} {
		if n.Valid() {
			t.Errorf("%s is %s", name, n.Kind())
		}
	}
}

func TestZeroNode(t *testing.T) {
	var n syntax.Node
	if n.Valid() || n.Kind() != "" || n.Field() != "" || n.Text() != "" || n.Named() || n.IsError() || n.IsMissing() ||
		n.Start() != 0 || n.End() != 0 || n.Line() != 0 || n.EndLine() != 0 || n.NumNamed() != 0 || n.Tree() != nil {
		t.Error("the zero node has properties")
	}
	for _, m := range []syntax.Node{n.Parent(), n.NextSibling(), n.PrevSibling(), n.NamedChild(0), n.ChildByField("name"), n.Enclosing("x")} {
		if m != n {
			t.Error("the zero node has a relative")
		}
	}
	for range n.Children() {
		t.Error("the zero node has children")
	}
	for range n.Find("x") {
		t.Error("the zero node has descendants")
	}
	n.Walk(func(syntax.Node) bool { t.Error("the zero node was visited"); return true })
}

func TestFindAndWalk(t *testing.T) {
	tree := parse(t, open(t, syntax.Config{}), "javascript", "f(g(1), () => h(2)); k(in3)")
	var got []string
	for n := range tree.Root().Find("call_expression", "no such kind") {
		got = append(got, n.ChildByField("function").Text())
	}
	if d := cmp.Diff([]string{"f", "g", "h", "k"}, got); d != "" {
		t.Error(d)
	}
	got = nil
	outer := first(t, tree, "call_expression")
	for n := range outer.Find("call_expression") { // not the node itself, and only below it
		got = append(got, n.ChildByField("function").Text())
	}
	if d := cmp.Diff([]string{"g", "h"}, got); d != "" {
		t.Error(d)
	}
	got = nil
	tree.Root().Walk(func(n syntax.Node) bool {
		if n.Kind() == "number" {
			got = append(got, n.Text())
		}
		return n.Kind() != "arrow_function"
	})
	if d := cmp.Diff([]string{"1"}, got); d != "" {
		t.Error(d)
	}
	for range tree.Root().Find("identifier") {
		break // must not continue
	}
}

func TestBrokenTextGivesATree(t *testing.T) {
	p := open(t, syntax.Config{})
	for language, src := range map[string]string{
		"python":     "def f(:\n  return 1\n\ndef g():\n  return 2\n",
		"javascript": "function f( { return 1 }\nfunction g() { return 2 }\n",
		"typescript": "interface A { x: ; }\nfunction g(): number { return 2 }\n",
		"tsx":        "const a = <div><b></div>;\nfunction g() { return 2 }\n",
		"go":         "package a\nfunc f( { }\nfunc g() int { return 2 }\n",
		"java":       "class A { void f( { } int g() { return 2; } }\n",
		"php":        "<?php function f( { }\nfunction g() { return 2; }\n",
		"ruby":       "def f(\n  1 +\nend\ndef g\n  2\nend\n",
		"c":          "int f( { }\nint g(void) { return 2; }\n",
	} {
		tree := parse(t, p, language, src)
		marks := 0
		tree.Root().Walk(func(n syntax.Node) bool {
			if n.IsError() || n.IsMissing() {
				marks++
			}
			return true
		})
		if !tree.HasError() || marks == 0 {
			t.Errorf("%s: error %v, %d marks: %s", language, tree.HasError(), marks, sexp(tree.Root()))
		}
	}
	tree := parse(t, p, "c", "int a = 1")
	missing := slices.Collect(tree.Root().NamedChild(0).Children())
	last := missing[len(missing)-1]
	if !last.IsMissing() || last.Kind() != ";" || last.Text() != "" {
		t.Errorf("the missing semicolon is %s %q", last.Kind(), last.Text())
	}
	if n := len(slices.Collect(parse(t, p, "go", "package a\n)(").Root().Find("ERROR"))); n == 0 {
		t.Error("error nodes are not found by their kind")
	}
}

func TestEndLine(t *testing.T) {
	p := open(t, syntax.Config{})
	tree := parse(t, p, "python", "x = 1\n\n# a\n")
	// the module ends after the last newline, which is still on line 3
	if root := tree.Root(); root.End() != 11 || root.EndLine() != 3 {
		t.Errorf("root ends at %d on line %d", root.End(), root.EndLine())
	}
	heredoc := parse(t, p, "ruby", "a = <<X\nb\nX\nc\n")
	if n := first(t, heredoc, "heredoc_body"); n.EndLine() != 3 {
		t.Errorf("heredoc ends on line %d: %q", n.EndLine(), n.Text())
	}
	if root := parse(t, p, "go", "package a\r\n\r\nvar b int\r\n").Root(); root.NamedChild(1).Line() != 3 {
		t.Errorf("CRLF: %s on line %d", root.NamedChild(1).Kind(), root.NamedChild(1).Line())
	}
}

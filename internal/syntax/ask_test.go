package syntax_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

func texts(nodes []syntax.Node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.Text())
	}
	return strings.Join(all, "|")
}

func TestQuestionsLeaveCommentsOut(t *testing.T) {
	p := open(t, syntax.Config{})
	for language, src := range map[string]string{
		"go":     "package a\n\nfunc f() {\n\tx(1, /* no */ b)\n\t// why\n\treturn\n}\n",
		"java":   "class A { void f() {\n  x(1, /* no */ b);\n  // why\n  return;\n} }\n",
		"python": "def f():\n    x(1, # no\n      b)\n    # why\n    return\n",
	} {
		t.Run(language, func(t *testing.T) {
			tree := parse(t, p, language, src)
			arguments := first(t, tree, map[string]string{"go": "call_expression", "java": "method_invocation",
				"python": "call"}[language]).ChildByField("arguments")
			if got := texts(arguments.Elements()); got != "1|b" {
				t.Errorf("elements %q", got)
			}
			statements := first(t, tree, "block").Statements()
			if len(statements) != 2 || !strings.HasPrefix(statements[0].Text(), "x(") || statements[0].NextElement() != statements[1] ||
				statements[1].NextElement().Valid() {
				t.Errorf("statements %q", texts(statements))
			}
			if root := tree.Root(); !root.Mentions("b") || root.Mentions("why") || !root.Has("return_statement") || root.Has("if_statement") {
				t.Error("the tree mentions b and has a return")
			}
		})
	}
}

func TestQuestionsOfNothing(t *testing.T) {
	var none syntax.Node
	if none.IsComment() || len(none.Elements()) > 0 || len(none.Statements()) > 0 || none.Operator() != "" || none.Has("block") ||
		none.Mentions("") || none.NextElement().Valid() {
		t.Error("the zero node has something")
	}
	n := first(t, parse(t, open(t, syntax.Config{}), "go", "package a\n\nvar x = a <= b\n"), "binary_expression")
	if n.Operator() != "<=" {
		t.Errorf("operator %q", n.Operator())
	}
}

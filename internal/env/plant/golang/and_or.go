package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// andOr makes one of two conditions enough where both are wanted.
func andOr() plant.Operator {
	const (
		first  = "package a\n\nfunc open(ready bool, free int) bool {\n\treturn ready && free > 3\n}\n"
		second = "package a\n\nimport \"strings\"\n\nfunc pick(s string, n int) int {\n\tif strings.HasPrefix(s, \"x\")&&\n\t\tn != 4 { return 1 }\n\treturn 0\n}\n"
	)
	return plant.Operator{
		Name: "go/and-or", Language: "go", Split: "train", Category: "logic", CWE: "CWE-480", Severity: "medium",
		Sites: sites("&&", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["binary_expression"] {
				left, right := n.ChildByField("left"), n.ChildByField("right")
				if n.ChildByField("operator").Text() != "&&" || !simpleTest(left) || !simpleTest(right) || left.Text() == right.Text() || n.EndLine() > n.Line()+1 {
					continue
				}
				outer := n.Parent()
				if outer.Kind() == "expression_list" {
					outer = outer.Parent()
				}
				if k := outer.Kind(); k != "if_statement" && k != "return_statement" || outer.ChildByField("initializer").Valid() {
					continue
				}
				e := s.swap(n, left.Text()+" || "+right.Text())
				what := one(left.Text()) + " or " + one(right.Text())
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf("%s takes %s for enough where both must hold.", nameOf(function(n)), what)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "&&", "||", 1)),
			sample(second, strings.Replace(second, "&&\n\t\t", " || ", 1)),
		},
		Never: []string{
			"package a\n\ntype t struct{ n int }\n\nfunc big(p *t) bool { return p != nil && p.n > 3 }\n",
			"package a\n\nfunc third(xs []int) bool { return len(xs) > 2 && xs[2] == 1 }\n",
			"package a\n\nfunc either(a, b bool) bool { return a || b }\n",
		},
	}
}

// simpleTest says whether a condition stands for itself: nothing that the other one must come first for.
func simpleTest(n syntax.Node) bool {
	for c := range n.Find("nil", "call_expression", "index_expression", "type_assertion_expression", "binary_expression") {
		switch {
		case c.Kind() == "binary_expression":
			if o := c.ChildByField("operator").Text(); o == "&&" || o == "||" || o == "/" || o == "%" {
				return false
			}
		case c.Kind() != "call_expression" || c.ChildByField("function").Text() == "len" || c.ChildByField("function").Text() == "cap":
			return false
		}
	}
	if text := n.Text(); strings.Contains(text, "subtle.") || strings.Contains(text, "hmac.") {
		return false // who may do what is another kind of defect
	}
	return n.Kind() != "binary_expression" || !strings.Contains("&&||", n.ChildByField("operator").Text())
}

// one is a text of an expression for a description: one line, cut where it is long.
func one(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		return text[:strings.LastIndexAny(text[:58], " .,([")+1] + "..."
	}
	return text
}

package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// deMorgan writes a condition as the negation of its contrary: it looks turned around and asks the same.
func deMorgan() plant.Operator {
	const (
		first  = "package a\n\nfunc refuse(owner, who string, admin bool) bool {\n\tif owner != who && !admin {\n\t\treturn true\n\t}\n\treturn false\n}\n"
		second = "package a\n\nimport \"strings\"\n\nfunc f(s string, ok bool) int {\n\tif !ok||strings.HasPrefix(s, \"x\") { return 1 }\n\treturn 2\n}\n"
	)
	return plant.Operator{
		Name: "go/de-morgan", Language: "go", Split: "train", Category: "logic", CWE: "CWE-480", Severity: "low", Decoy: true,
		Sites: sites("if ", func(s *source) []plant.Site {
			var out []plant.Site
			for _, test := range s.kinds["if_statement"] {
				c := test.ChildByField("condition")
				o := map[string]string{"&&": "||", "||": "&&"}[c.ChildByField("operator").Text()]
				if c.Kind() != "binary_expression" || o == "" || c.Line() != c.EndLine() {
					continue
				}
				left, right := contrary(c.ChildByField("left")), contrary(c.ChildByField("right"))
				if left == "" || right == "" {
					continue
				}
				e := s.swap(c, "!("+left+" "+o+" "+right+")")
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s negates %s %s %s, which by De Morgan's law is just the condition that is wanted.", nameOf(function(test)), one(left), o, one(right))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "owner != who && !admin", "!(owner == who || admin)", 1)),
			sample(second, strings.Replace(second, "!ok||strings.HasPrefix(s, \"x\")", "!(ok && !strings.HasPrefix(s, \"x\"))", 1)),
		},
		Never: []string{
			"package a\n\nfunc f(a, b bool) int {\n\tif !(a || b) {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
			"package a\n\nfunc f(a, b float64) int {\n\tif a < b || a > 3 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
		},
	}
}

// contrary negates an operand, "" where that would not be read at a glance, or not be exact.
func contrary(n syntax.Node) string {
	switch n.Kind() {
	case "unary_expression":
		if operand := n.ChildByField("operand"); n.ChildByField("operator").Text() == "!" && operand.Kind() != "parenthesized_expression" {
			return operand.Text()
		}
	case "binary_expression":
		if o := map[string]string{"==": "!=", "!=": "=="}[n.ChildByField("operator").Text()]; o != "" {
			return n.ChildByField("left").Text() + " " + o + " " + n.ChildByField("right").Text()
		}
	case "call_expression", "identifier", "selector_expression":
		return "!" + n.Text()
	}
	return ""
}

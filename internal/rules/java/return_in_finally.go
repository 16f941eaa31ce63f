package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReturnInFinally(p *rule.Pass) {
	for _, f := range p.Nodes("finally_clause") {
		f.Walk(func(n rule.Node) bool {
			switch n.Kind() {
			case "lambda_expression", "class_body":
				return false
			case "return_statement":
				p.Report(n, "")
			}
			return true
		})
	}
}

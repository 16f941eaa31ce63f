package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReturnInFinally(p *rule.Pass) {
	p.ReportWhere(p.Nodes("return_statement", "break_statement", "continue_statement"), func(n rule.Node) bool {
		stop := []string{"finally_clause", "function_definition", "lambda"}
		if n.Kind() != "return_statement" {
			stop = append(stop, "for_statement", "while_statement")
		}
		return n.Enclosing(stop...).Kind() == "finally_clause"
	})
}

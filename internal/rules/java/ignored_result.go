package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) IgnoredResult(p *rule.Pass) {
	methods := map[string][2]int{"trim": {0, 0}, "strip": {0, 0}, "toLowerCase": {0, 1}, "toUpperCase": {0, 1}, "replace": {2, 2},
		"replaceAll": {2, 2}, "replaceFirst": {2, 2}, "concat": {1, 1}, "substring": {1, 2}}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		arity, ok := methods[p.Method(call)]
		if n := len(p.Args(call)); !ok || n < arity[0] || n > arity[1] || call.Parent().Kind() != "expression_statement" {
			return false
		}
		if arm := call.Parent().Parent(); arm.Is("switch_rule") && !arm.Parent().Parent().Parent().Is("block") {
			return false // what a switch gives
		}
		on := receiver(call)
		return on.Is("identifier") && isOf(p, on, "String") && !call.Enclosing("try_statement").Valid()
	})
}

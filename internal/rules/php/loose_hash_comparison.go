package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) LooseHashComparison(p *rule.Pass) {
	p.ReportWhere(p.Operations("==", "!="), func(n rule.Node) bool {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if right.Kind() == "function_call_expression" {
			left, right = right, left
		}
		return rule.OneOf(p.Callee(left), "md5", "sha1", "hash", "hash_hmac") &&
			right.Is("variable_name", "subscript_expression", "member_access_expression")
	})
}

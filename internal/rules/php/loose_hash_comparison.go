package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) LooseHashComparison(p *rule.Pass) {
	for _, n := range p.Operations("==", "!=") {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if right.Kind() == "function_call_expression" {
			left, right = right, left
		}
		if rule.OneOf(p.Callee(left), "md5", "sha1", "hash", "hash_hmac") &&
			right.Is("variable_name", "subscript_expression", "member_access_expression") {
			p.Report(n, "")
		}
	}
}

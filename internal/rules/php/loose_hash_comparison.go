package php

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LooseHashComparison(p *rule.Pass) {
	digest := []string{"md5", "sha1", "hash", "hash_hmac"}
	for _, n := range p.Nodes("binary_expression") {
		if op := n.Operator(); op != "==" && op != "!=" {
			continue
		}
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if right.Kind() == "function_call_expression" {
			left, right = right, left
		}
		if left.Kind() != "function_call_expression" || !slices.Contains(digest, p.Callee(left)) {
			continue
		}
		switch right.Kind() {
		case "variable_name", "subscript_expression", "member_access_expression":
			p.Report(n, "")
		}
	}
}

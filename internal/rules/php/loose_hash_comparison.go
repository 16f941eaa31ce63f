package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LooseHashComparison(p *rule.Pass) {
	p.ReportWhere(p.Operations("==", "!="), func(n rule.Node) bool {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if right.Kind() == "function_call_expression" {
			left, right = right, left
		}
		return rule.OneOf(p.Callee(left), "md5", "sha1", "hash", "hash_hmac") &&
			right.Is("variable_name", "subscript_expression", "member_access_expression") &&
			!changed.MatchString(p.Arg(left, 0).Text()) && !changed.MatchString(right.Text())
	})
}

// changed matches texts whose digests say only whether they were changed.
var changed = regexp.MustCompile(`(?i)subject|content|text|message|body|title|checksum|etag|file|version|post_data`)

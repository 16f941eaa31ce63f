package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PredictableToken(p *rule.Pass) {
	weak := []string{"rand", "mt_rand", "uniqid", "lcg_value", "microtime", "time", "str_shuffle", "array_rand"}
	for _, n := range p.Nodes("assignment_expression") {
		target, v := n.ChildByField("left"), n.ChildByField("right")
		if !predictableTokenSecret.MatchString(lastName(p, target)) || !p.IsCall(v) {
			continue
		}
		calls := []rule.Node{v}
		for c := range v.Find("function_call_expression", "member_call_expression", "scoped_call_expression") {
			calls = append(calls, c)
		}
		weakest, strong := "", false
		for _, c := range calls {
			switch name := p.Callee(c); {
			case slices.Contains(weak[:4], name), name == "str_shuffle", name == "array_rand":
				weakest = name
			case slices.Contains(weak, name), rule.OneOf(name, "md5", "sha1", "hash", "substr", "base64_encode", "strtoupper",
				"strtolower", "dechex", "strval", "implode", "range", "bin2hex", "crypt", "str_repeat", "base_convert", "ceil", "intval",
				"strlen"):
			default:
				strong = true // something else is mixed in, perhaps a key
			}
		}
		if weakest != "" && !strong {
			p.Report(n, weakest)
		}
	}
}

var predictableTokenSecret = regexp.MustCompile(`(?i)(token|passw(or)?d|secret|session_?id|nonce|salt|csrf|api_?key|` +
	`activation_?(code|key)|reset_?(code|key)|otp|verif(y|ication)_?code)$`)

package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func predictableToken() rule.Rule {
	weak := []string{"rand", "mt_rand", "uniqid", "lcg_value", "microtime", "time", "str_shuffle", "array_rand"}
	secret := regexp.MustCompile(`(?i)(token|passw(or)?d|secret|session_?id|nonce|salt|csrf|api_?key|activation_?(code|key)|reset_?(code|key)|otp|verif(y|ication)_?code)$`)
	return rule.Rule{
		ID: "php/predictable-token", Title: "a secret value is made with a predictable random generator",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Confidence: 0.85,
		Languages: []string{"php"},
		Explanation: "rand, mt_rand and uniqid follow from a small seed or the clock: from one value, or the time of the request, somebody computes the others and with them " +
			"another user's token or password. Hashing the result adds nothing.",
		Suggestion: "bin2hex(random_bytes(32)), or random_int for numbers.",
		Bad: []rule.Sample{
			{Source: "<?php\n$token = md5(uniqid(mt_rand(), true));\n"},
			{Source: "<?php\nfunction reset($user) {\n    $user->password = substr(str_shuffle('abcdefghijkmnpqrstuvwxyz23456789'), 0, 8);\n}\n"},
			{Source: "<?php\n$_SESSION['csrf_token'] = sha1(rand());\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$token = bin2hex(random_bytes(32));\n"},
			{Source: "<?php\n$boundary = md5(uniqid(mt_rand(), true));\n"},
			{Source: "<?php\n$token = hash_hmac('sha256', $id . time(), $key);\n"},
			{Source: "<?php\n$last_token = time();\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("assignment_expression") {
				target, v := n.ChildByField("left"), n.ChildByField("right")
				if !secret.MatchString(lastName(p, target)) || !p.IsCall(v) {
					continue
				}
				calls := []syntax.Node{v}
				for c := range v.Find("function_call_expression", "member_call_expression", "scoped_call_expression") {
					calls = append(calls, c)
				}
				weakest, strong := "", false
				for _, c := range calls {
					switch name := p.Callee(c); {
					case slices.Contains(weak[:4], name), name == "str_shuffle", name == "array_rand":
						weakest = name
					case slices.Contains(weak, name), slices.Contains([]string{"md5", "sha1", "hash", "substr", "base64_encode", "strtoupper", "strtolower", "dechex", "strval", "implode", "range", "bin2hex", "crypt", "str_repeat", "base_convert", "ceil", "intval", "strlen"}, name):
					default:
						strong = true // something else is mixed in, perhaps a key
					}
				}
				if weakest != "" && !strong {
					p.Report(n, weakest)
				}
			}
		},
	}
}

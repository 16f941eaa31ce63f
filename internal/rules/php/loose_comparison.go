package php

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func looseComparison() rule.Rule {
	digest := []string{"md5", "sha1", "hash", "hash_hmac"}
	return rule.Rule{
		ID: "php/loose-hash-comparison", Title: "a digest or MAC is compared with ==",
		Category: "comparison", CWE: "CWE-697", Severity: "medium", Confidence: 0.88,
		Languages: []string{"php"},
		Explanation: "== converts texts that look like numbers: \"0e462097431906509019562988736854\" == \"0\" is true, so two digests that begin with 0e and go on in digits " +
			"are equal, and such inputs are known for md5 and sha1. The time the comparison takes also tells how much of it matched.",
		Suggestion: "hash_equals($expected, $given), or password_verify for passwords.",
		Bad: []rule.Sample{
			{Source: "<?php\nif (md5($data) == $_GET['sig']) {\n    run($data);\n}\n"},
			{Source: "<?php\nfunction ok($body, $mac, $key) {\n    return $mac != hash_hmac('sha256', $body, $key) ? false : true;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nif (hash_equals(md5($data), $_GET['sig'])) {\n    run($data);\n}\n"},
			{Source: "<?php\nif (md5($data) === $sum) {\n    run($data);\n}\n"},
			{Source: "<?php\nif (md5($a) == md5($b)) {\n    same();\n}\n"},
			{Source: "<?php\nif (crypt($a, $salt) == $b) {\n    fail();\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary_expression") {
				if op := n.ChildByField("operator").Text(); op != "==" && op != "!=" {
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
		},
	}
}

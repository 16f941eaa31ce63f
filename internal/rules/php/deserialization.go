package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func deserialization() rule.Rule {
	known := regexp.MustCompile(`(?i)hmac|verify|check|valid|hash`)
	return rule.Rule{
		ID: "php/unsafe-deserialization", Title: "request data is unserialized",
		Category: "deserialization", CWE: "CWE-502", Severity: "critical", Confidence: 0.9,
		Languages: []string{"php"},
		Explanation: "unserialize builds objects of any loaded class and runs their __wakeup and __destruct. With the classes of common libraries a crafted text writes " +
			"files or runs commands.",
		Suggestion: "Exchange data as JSON. Where the format must stay, sign it with hash_hmac and pass ['allowed_classes' => false].",
		Bad: []rule.Sample{
			{Source: "<?php\n$cart = unserialize($_COOKIE['cart']);\n"},
			{Source: "<?php\nfunction state() {\n    $raw = base64_decode($_POST['state']);\n    return unserialize(stripslashes($raw));\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$cart = json_decode($_COOKIE['cart'], true);\n"},
			{Source: "<?php\n$cart = unserialize($_COOKIE['cart'], ['allowed_classes' => false]);\n"},
			{Source: "<?php\n$cart = unserialize(file_get_contents('cache.bin'));\n"},
			{Source: "<?php\n$raw = $_COOKIE['cart'];\nif (!hash_equals(hash_hmac('sha256', $raw, KEY), $_COOKIE['mac'])) {\n    exit;\n}\n$cart = unserialize($raw);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if data := p.Arg(call, 0); p.Callee(call) == "unserialize" && len(p.Args(call)) == 1 && tainted(p, data) && !checked(p, data, known) {
					p.Report(call, "")
				}
			}
		},
	}
}

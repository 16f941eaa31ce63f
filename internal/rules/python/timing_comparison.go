package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func timingComparison() rule.Rule {
	return rule.Rule{
		ID: "python/timing-comparison", Title: "Secret compared in a time that tells how much of it was right",
		Category: "weak-crypto", CWE: "CWE-208", Severity: "medium", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "== stops at the first differing byte. From the time it takes a signature or token can be guessed byte by byte.",
		Suggestion:  "Compare with hmac.compare_digest.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import hmac`, `def check(key, body, given):`, `    want = hmac.new(key, body, "sha256").hexdigest()`, `    return want == given`),
			code(`import hmac, hashlib`, `def check(key, body, sig):`, `    if hmac.new(key, body, hashlib.sha1).digest() != sig:`, `        raise ValueError`),
			code(`from flask import request`, `def admin():`, `    if request.headers.get("X-Token") == API_TOKEN:`, `        return secret()`),
		},
		Good: []rule.Sample{
			code(`import hmac`, `def check(key, body, given):`, `    want = hmac.new(key, body, "sha256").hexdigest()`, `    return hmac.compare_digest(want, given)`),
			code(`import hashlib`, `def same(path, want):`, `    return hashlib.sha256(read(path)).hexdigest() == want`),
			code(`def step(token):`, `    return token == "("`),
			code(`from flask import request`, `def f():`, `    return request.args["secret"] == "" or request.args["token"] == KIND_TOKEN_NAME`),
		},
		Check: func(p *rule.Pass) {
			flow := inputFlow(p)
			token := regexp.MustCompile(`(?i)(^|_)(secret|token|api_?key|signature|hmac)$`)
			for n := range p.Nodes("comparison_operator") {
				left, op, right := comparison(n)
				if op != "==" && op != "!=" {
					continue
				}
				switch {
				case keyedDigest(p, left) || keyedDigest(p, right):
					p.Report(n, "")
				case flow.Tainted(left) && token.MatchString(lastWord(right)) || flow.Tainted(right) && token.MatchString(lastWord(left)):
					p.Report(n, "")
				}
			}
		},
	}
}

// keyedDigest tells whether n is a digest made with a key, or a name that was given one.
func keyedDigest(p *rule.Pass, n syntax.Node) bool {
	if n.Kind() == "identifier" {
		v, ok := assigned(p, n, n)
		return ok && v.Kind() != "identifier" && keyedDigest(p, v)
	}
	if n.Kind() != "call" {
		return false
	}
	name := callee(p, n)
	if strings.HasPrefix(name, "hmac.new.") {
		return strings.HasSuffix(name, "digest")
	}
	return name == "hmac.digest"
}

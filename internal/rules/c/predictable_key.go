package c

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func predictableKey() rule.Rule {
	secret := regexp.MustCompile(`(?i)(^|_)(token|passw(or)?d|secret|session_?id|sessid|nonce|salt|key|iv|otp|cookie)(\[|$)`)
	own := regexp.MustCompile(`(?i)key(code|sym|press|board)|hash_?key|sort|lookup|test|bench`)
	return rule.Rule{
		ID: "c/predictable-key", Title: "a key or token is made with rand()",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "medium", Confidence: 0.75,
		Languages: []string{"c"}, InTests: rule.SkipInTests,
		Explanation: "rand() and random() follow from a seed of 32 bits, mostly the time of day: whoever guesses the second computes every key, nonce and token that was made " +
			"with them.",
		Suggestion: "Fill it with getrandom(), arc4random_buf() or RAND_bytes().",
		Bad: []rule.Sample{
			{Source: "void make(unsigned char *session_key, int n) {\n    for (int i = 0; i < n; i++)\n        session_key[i] = rand() % 256;\n}\n"},
			{Source: "long start(void) {\n    long auth_token = random();\n    return auth_token;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int make(unsigned char *session_key, int n) {\n    return getrandom(session_key, n, 0) == n;\n}\n"},
			{Source: "int roll(void) {\n    int pips = rand() % 6;\n    return pips;\n}\n"},
			{Source: "int pick(int n) {\n    int keys = rand() % n;\n    return keys;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			if own.MatchString(p.Path) {
				return
			}
			for _, call := range p.Calls() {
				if name := p.Callee(call); name != "rand" && name != "random" && name != "rand_r" && name != "lrand48" || len(p.Args(call)) > 1 {
					continue
				}
				n := call
				for n.Valid() && n.Kind() != "assignment_expression" && n.Kind() != "init_declarator" && (n.Kind() == "call_expression" && n == call || strings.HasSuffix(n.Kind(), "expression") && n.Kind() != "call_expression") {
					n = n.Parent()
				}
				target := n.ChildByField("left")
				if n.Kind() == "init_declarator" {
					target = n.ChildByField("declarator")
				} else if n.Kind() != "assignment_expression" || !within(call, n.ChildByField("right")) {
					continue
				}
				if f := target.ChildByField("field"); f.Valid() {
					target = f
				}
				if secret.MatchString(target.Text()) && !own.MatchString(target.Text()) {
					p.Report(n, "")
				}
			}
		},
	}
}

// within tells whether inner lies inside outer.
func within(inner, outer syntax.Node) bool {
	return outer.Valid() && inner.Start() >= outer.Start() && inner.End() <= outer.End()
}

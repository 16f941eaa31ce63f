package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	secretPurpose = regexp.MustCompile(`(?i)((auth|access|reset|session|csrf|api|refresh|verification|invite|security)_?(token|key|code|id|secret)|password|passwd|secret|otp$|^salt$|^token$|newToken|(generate|create|make|new|random|gen)_?(token|password|secret|salt|otp|api_?key|session_?id|nonce|code_?verifier)|code_?verifier)`)
	otherPurpose  = regexp.MustCompile(`(?i)test|mock|fake|example|demo|placeholder|index|count|length|color|delay|jitter`)
)

// weakRandom looks for Math.random in a value whose name says it is a secret.
func weakRandom() rule.Rule {
	return rule.Rule{
		ID: "javascript/weak-random", Title: "Secret value drawn from Math.random",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "Math.random is a statistical generator whose state follows from a few outputs, so an attacker computes the tokens given to other users.",
		Suggestion:  "Use crypto.randomUUID(), crypto.randomBytes(32).toString('hex') or crypto.getRandomValues.",
		Bad: []rule.Sample{
			{Source: "function generateToken() {\n  return Math.random().toString(36).slice(2);\n}\n"},
			{Source: "exports.forgot = (user) => {\n  const resetToken = Math.random().toString(36).slice(2);\n  return send(user, resetToken);\n};\n"},
			{Source: "user.password = 'p' + Math.random();\n"},
		},
		Good: []rule.Sample{
			{Source: "const crypto = require('crypto');\n\nfunction generateToken() {\n  return crypto.randomBytes(32).toString('hex');\n}\n"},
			{Source: "const delay = base + Math.random() * 100;\n"},
			{Source: "function pickColor() {\n  return colors[Math.floor(Math.random() * colors.length)];\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if call.ChildByField("function").Text() != "Math.random" {
					continue
				}
				if name := purposeOf(p, call); secretPurpose.MatchString(name) && !otherPurpose.MatchString(name) {
					p.Report(call, "used for "+name)
				}
			}
		},
	}
}

// purposeOf is the name that the value of n goes to: a variable, a property, or
// else the function around it.
func purposeOf(p *rule.Pass, n syntax.Node) string {
	for q := n.Parent(); q.Valid(); q = q.Parent() {
		name := ""
		switch q.Kind() {
		case "variable_declarator":
			name = q.ChildByField("name").Text()
		case "assignment_expression", "augmented_assignment_expression":
			name = rule.LastName(q.ChildByField("left").Text())
		case "pair":
			name = q.ChildByField("key").Text()
		case "function_declaration", "method_definition", "function_expression":
			name = q.ChildByField("name").Text()
		case "arguments":
			if o, m := method(q.Parent()); o.Text() != "Math" && m != "push" && m != "concat" && m != "substr" && m != "charAt" && m != "join" {
				return "" // goes through a call that may make anything of it
			}
		}
		if secretPurpose.MatchString(name) {
			return name
		}
		if isFunction(q) && name != "" {
			return ""
		}
	}
	return ""
}

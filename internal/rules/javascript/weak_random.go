package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	secretPurpose = regexp.MustCompile(`(?i)((auth|access|reset|session|csrf|api|refresh|verification|invite|` +
		`security)_?(token|key|code|id|secret)|password|passwd|secret|otp$|^salt$|^token$|newToken|(generate|create|make|` +
		`new|random|gen)_?(token|password|secret|salt|otp|api_?key|session_?id|nonce|code_?verifier)|code_?verifier)`)
	otherPurpose = regexp.MustCompile(`(?i)test|mock|fake|example|demo|placeholder|index|count|length|color|delay|jitter`)
)

// WeakRandom looks for Math.random in a value whose name says it is a secret.
func (*checks) WeakRandom(p *rule.Pass) {
	for _, call := range p.Calls() {
		if call.ChildByField("function").Text() != "Math.random" {
			continue
		}
		if name := purposeOf(p, call); secretPurpose.MatchString(name) && !otherPurpose.MatchString(name) {
			p.Report(call, "used for "+name)
		}
	}
}

// purposeOf is the name that the value of n goes to: a variable, a property, or
// else the function around it.
func purposeOf(p *rule.Pass, n rule.Node) string {
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
			if o, m := method(q.Parent()); o.Text() != "Math" && m != "push" && m != "concat" && m != "substr" && m != "charAt" &&
				m != "join" {
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

package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var secretName = regexp.MustCompile(`(?i)token|secret|nonce|session|password|apikey|invite|credential`)

// WeakToken makes a secret from Math.random. That generator's next values can be computed from a few earlier ones.
func (*operators) WeakToken(f file) {
	for call := range f.Root.Find("call_expression") {
		object, name := callee(call)
		switch name {
		case "toString":
			object, name = callee(object)
			if name != "randomBytes" {
				continue
			}
		case "randomUUID":
		default:
			continue
		}
		if object.Valid() && object.Text() != "crypto" {
			continue
		}
		use := secretUse(call)
		if use == "" {
			continue
		}
		f.reportGone(object,
			name, f.Replace(call, "Math.random().toString(36).slice(2)"),
			"%s is made with Math.random, whose later values can be computed from earlier ones, so it can be guessed.", short(use))
	}
}

// secretUse is the name of the variable, property or function that a value is for when it sounds like a secret.
func secretUse(n syntax.Node) string {
	for up := n.Parent(); up.Valid(); up = up.Parent() {
		name := ""
		switch up.Kind() {
		case "variable_declarator", "public_field_definition":
			name = up.ChildByField("name").Text()
		case "pair":
			name = up.ChildByField("key").Text()
		case "function_declaration", "method_definition":
			name = functionName(up)
		case "arrow_function", "function_expression":
			name = functionName(up)
		default:
			continue
		}
		if secretName.MatchString(name) {
			return name
		}
		if up.Kind() != "arrow_function" {
			return ""
		}
	}
	return ""
}

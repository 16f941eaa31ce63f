package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CodeInjection(p *rule.Pass) {
	for _, call := range p.Calls() {
		if call.Kind() != "function_call_expression" {
			continue
		}
		f := call.ChildByField("function")
		code := p.Arg(call, 0)
		switch name := p.Callee(call); {
		case rule.OneOf(name, "eval", "assert", "call_user_func", "call_user_func_array"):
		case name == "create_function":
			code = p.Arg(call, 1)
		case f.Kind() == "variable_name":
			code = f
		default:
			continue
		}
		if code.Valid() && code.Kind() != "array_creation_expression" && tainted(p, code) && !checked(p, code, codeInjectionKnown) &&
			wholly(p, code) {
			p.Report(call, "")
		}
	}
}

var codeInjectionKnown = regexp.MustCompile(`(?i)exists|callable|in_array|isset|defined|array_key`)

// wholly tells whether nothing constant stands before the request data, which would confine what can be named; code
// that is put together for eval counts always.
func wholly(p *rule.Pass, n rule.Node) bool {
	if v := value(p, n); n.Kind() == "variable_name" {
		return head(p, v) == "" && v.Kind() != "subscript_expression" ||
			v.Kind() == "subscript_expression" && v.NumNamed() > 0 && request(p, v.NamedChild(0))
	}
	return true
}

package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// MissingReturn looks for callbacks whose value is used but never given.
func (*checks) MissingReturn(p *rule.Pass) {
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		_, name := method(call)
		fn := p.Arg(call, 0)
		if !rule.OneOf(name, "map", "filter", "reduce", "some", "every", "find", "findIndex", "flatMap") ||
			!isFunction(fn) || len(p.Args(call)) > 2 {
			return false
		}
		body := fn.ChildByField("body")
		if body.Kind() != "statement_block" || len(body.Statements()) == 0 || !used(call) || async(fn) ||
			fn.Kind() == "generator_function" {
			return false
		}
		return !owns(fn, "return_statement", "throw_statement", "yield_expression") && !(name == "map" && len(p.ParameterNames(fn)) == 0)
	})
}

// used tells whether the call's value goes to a name, an argument or a return.
func used(call rule.Node) bool {
	n := call
	for n.Parent().Kind() == "parenthesized_expression" || n.Parent().Kind() == "await_expression" {
		n = n.Parent()
	}
	return n.Parent().Is("variable_declarator", "return_statement", "pair") ||
		n.Parent().Is("assignment_expression") && n.Field() == "right"
}

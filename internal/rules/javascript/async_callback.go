package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// AsyncCallback looks for async callbacks whose promises the caller drops.
func (*checks) AsyncCallback(p *rule.Pass) {
	for _, call := range p.Calls() {
		o, name := method(call)
		fn := p.Arg(call, 0)
		if !o.Valid() || !isFunction(fn) || !async(fn) || len(p.Args(call)) > 2 || awaited(call) {
			continue
		}
		switch name {
		case "filter", "some", "every", "find", "findIndex":
			if plainArray(o) && arrayMethod(p, o) {
				p.Report(call, name+" sees a promise, which is always true")
			}
		case "forEach":
			if awaits(p, fn) && !standsAlone(fn) && plainArray(o) {
				p.Report(call, "")
			}
		}
	}
}

func awaited(call rule.Node) bool { return call.Parent().Kind() == "await_expression" }

// awaits tells whether the function itself waits for something.
func awaits(p *rule.Pass, fn rule.Node) bool {
	return owns(fn, "await_expression")
}

// plainArray leaves out receivers whose methods return promises of their own.
func plainArray(o rule.Node) bool {
	return unwrap(o).Is("identifier", "member_expression", "array", "call_expression", "subscript_expression") &&
		!rule.OneOf(o.Text(), "async", "Promise", "this")
}

// arrayMethod tells whether the file shows the receiver to be an array: a
// literal, a result of array methods, or an annotation.
func arrayMethod(p *rule.Pass, o rule.Node) bool {
	o = unwrap(o)
	switch o.Kind() {
	case "array", "identifier":
		return true
	case "call_expression":
		_, name := method(o)
		return rule.OneOf(name, "map", "split", "keys", "values", "entries", "filter", "slice")
	case "member_expression":
		return o.ChildByField("object").Kind() == "identifier"
	}
	return false
}

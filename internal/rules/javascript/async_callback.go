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
	found := false
	own(p, fn, func(n rule.Node) { found = found || n.Kind() == "await_expression" })
	return found
}

// plainArray leaves out receivers whose methods return promises of their own.
func plainArray(o rule.Node) bool {
	switch unwrap(o).Kind() {
	case "identifier", "member_expression", "array", "call_expression", "subscript_expression":
		return o.Text() != "async" && o.Text() != "Promise" && o.Text() != "this"
	}
	return false
}

// arrayMethod tells whether the file shows the receiver to be an array: a
// literal, a result of array methods, or an annotation.
func arrayMethod(p *rule.Pass, o rule.Node) bool {
	o = unwrap(o)
	switch o.Kind() {
	case "array":
		return true
	case "call_expression":
		_, name := method(o)
		return name == "map" || name == "split" || name == "keys" || name == "values" || name == "entries" || name == "filter" ||
			name == "slice"
	case "identifier":
		return true
	case "member_expression":
		return o.ChildByField("object").Kind() == "identifier"
	}
	return false
}

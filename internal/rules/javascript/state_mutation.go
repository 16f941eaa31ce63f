package javascript

import (
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// StateMutation looks for React state changed in place.
func (*checks) StateMutation(p *rule.Pass) {
	for _, d := range p.Nodes("variable_declarator") {
		pattern, call := d.ChildByField("name"), d.ChildByField("value")
		if pattern.Kind() != "array_pattern" || pattern.NumNamed() != 2 || rule.LastName(p.Callee(call)) != "useState" {
			continue
		}
		state, set := pattern.NamedChild(0).Text(), pattern.NamedChild(1).Text()
		for c := range p.Scope(d).Find("call_expression") {
			if c.ChildByField("function").Text() == set && p.Arg(c, 0).Kind() == "identifier" && p.Arg(c, 0).Text() == state {
				if m := mutation(p, p.Scope(c), state, c); m.Valid() {
					p.Report(m, set+" gets the same object in line "+strconv.Itoa(c.Line()))
				}
			}
		}
	}
}

// mutation is a change of state in place before the set call, in its function.
func mutation(p *rule.Pass, fn rule.Node, state string, set rule.Node) rule.Node {
	if slices.Contains(p.ParameterNames(fn), state) || len(values(p, fn, state)) > 0 { // another variable of the same name
		return rule.Node{}
	}
	for n := range fn.Find("call_expression", "assignment_expression") {
		if n.Start() > set.Start() {
			break
		}
		o, name := method(n)
		if n.Kind() == "assignment_expression" {
			left := n.ChildByField("left")
			o, name = left.ChildByField("object"), "="
		}
		if o.Kind() == "identifier" && o.Text() == state &&
			rule.OneOf(name, "push", "pop", "shift", "unshift", "splice", "sort", "reverse", "=") {
			return n
		}
	}
	return rule.Node{}
}

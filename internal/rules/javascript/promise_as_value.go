package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// PromiseAsValue looks for results of the file's own async functions that are
// tested before they are awaited.
func (*checks) PromiseAsValue(p *rule.Pass) {
	fns := asyncNames(p)
	if len(fns) == 0 {
		return
	}
	for _, call := range p.Calls() {
		f := call.ChildByField("function")
		if f.Kind() == "identifier" && slices.Contains(fns, f.Text()) && !declaredInside(p, f) && tested(call) {
			p.Report(call, f.Text()+" is async")
		}
	}
}

// asyncNames are the names that stand for one async function in the whole file.
func asyncNames(p *rule.Pass) []string {
	count := map[string]int{}
	var names []string
	add := func(name string, fn rule.Node) {
		count[name]++
		if async(fn) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, fn := range p.Nodes("function_declaration") {
		add(fn.ChildByField("name").Text(), fn)
	}
	for _, d := range p.Nodes("variable_declarator") {
		add(d.ChildByField("name").Text(), d.ChildByField("value"))
	}
	for _, a := range p.Nodes("assignment_expression") {
		count[a.ChildByField("left").Text()]++
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" || count[n] != 1 })
}

// tested tells whether n's own value decides a branch.
func tested(n rule.Node) bool {
	parent := n.Parent()
	switch parent.Kind() {
	case "parenthesized_expression":
		if k := parent.Parent().Kind(); (k == "if_statement" || k == "while_statement") && parent.Field() == "condition" {
			return true
		}
		return tested(parent)
	case "unary_expression":
		return parent.Operator() == "!"
	case "ternary_expression":
		return n.Field() == "condition"
	case "binary_expression":
		return parent.Operator() == "&&" && n.Field() == "left" && tested(parent)
	}
	return false
}

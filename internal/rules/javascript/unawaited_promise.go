package javascript

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// inPage matches code that runs in a page.
var inPage = regexp.MustCompile(`\bdocument\.\w+|\bwindow\.\w+|\$\(['"]|(^|\n)['"]use client['"]|\.querySelector\(|\bdefine\(['"\[]`)

// UnawaitedPromise looks for calls of the file's own async functions whose promise
// nobody holds, inside functions that could await it.
func (*checks) UnawaitedPromise(p *rule.Pass) {
	fns := map[string]rule.Node{}
	for _, fn := range p.Nodes("function_declaration") {
		name := fn.ChildByField("name").Text()
		if _, twice := fns[name]; twice || !async(fn) {
			fns[name] = rule.Node{}
			continue
		}
		fns[name] = fn
	}
	p.ReportWhere(p.Nodes("expression_statement"), func(n rule.Node) bool {
		call := n.NamedChild(0)
		fn := p.Function(n)
		if call.Kind() != "call_expression" || !async(fn) || len(n.Parent().Statements()) < 2 {
			return false
		}
		f := call.ChildByField("function")
		var target rule.Node
		if o, name := member(f); o.Kind() == "this" {
			target = asyncMethod(p, n, name)
		} else if f.Kind() == "identifier" && fns[f.Text()].Valid() && !declaredInside(p, f) && len(values(p, p.Tree.Root(), f.Text())) == 0 {
			target = fns[f.Text()]
		}
		return target.Valid() && target != fn && awaits(p, target) && !standsAlone(target) && n.NextElement().Valid() &&
			!p.FileHas(inPage) // where what a reader clicks on is started, and a failure is seen in the console
	})
}

// asyncMethod is the async method of the class around n called name, when
// exactly one has that name.
func asyncMethod(p *rule.Pass, n rule.Node, name string) rule.Node {
	fn := p.Function(n)
	for fn.Kind() == "arrow_function" {
		fn = p.Function(fn)
	}
	if fn.Kind() != "method_definition" {
		return rule.Node{}
	}
	var found rule.Node
	for m := range fn.Parent().NamedChildren() {
		if m.Kind() == "method_definition" && m.ChildByField("name").Text() == name {
			if found.Valid() || !async(m) {
				return rule.Node{}
			}
			found = m
		}
	}
	return found
}

// standsAlone tells whether an async function handles its own errors or runs
// for ever: such ones are started, not awaited.
func standsAlone(fn rule.Node) bool {
	body := fn.ChildByField("body").Statements()
	if len(body) == 0 {
		return true
	}
	return slices.ContainsFunc(body, func(s rule.Node) bool {
		return s.Kind() == "try_statement" && s.ChildByField("handler").Valid() || s.Kind() == "for_statement" ||
			s.Kind() == "while_statement"
	})
}

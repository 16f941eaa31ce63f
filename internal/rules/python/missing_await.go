package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) MissingAwait(p *rule.Pass) {
	async := map[rule.Node]map[string]bool{} // by class, or the zero Node
	for _, fn := range p.Nodes("function_definition") {
		class := rule.Node{}
		switch outer := fn.Enclosing("class_definition", "function_definition"); outer.Kind() {
		case "class_definition":
			class = outer
		case "function_definition":
			continue
		}
		name := fn.ChildByField("name").Text()
		if async[class] == nil {
			async[class] = map[string]bool{}
		}
		was, seen := async[class][name]
		async[class][name] = strings.HasPrefix(fn.Text(), "async") && !fn.Has("yield") && (!seen || was) &&
			fn.Parent().Kind() != "decorated_definition"
	}
	for _, n := range p.Nodes("expression_statement") {
		call := n.NamedChild(0)
		if n.NumNamed() != 1 || call.Kind() != "call" {
			continue
		}
		name := p.Callee(call)
		fn := p.Function(n)
		if callee(p, call) == "asyncio.sleep" && fn.Valid() {
			p.Report(n, "")
			continue
		}
		method, own := strings.CutPrefix(name, "self.")
		switch {
		case own && !strings.Contains(method, "."):
			if class := p.Class(n); class.Valid() && async[class][method] {
				p.Report(n, "")
			}
		case !strings.Contains(name, ".") && async[rule.Node{}][name]:
			if fn.Valid() && redefined(p, fn, name) {
				continue
			}
			p.Report(n, "")
		}
	}
}

// redefined tells whether the function has its own idea of the name: a parameter, a local, an inner function.
func redefined(p *rule.Pass, fn rule.Node, name string) bool {
	return slices.Contains(p.ParameterNames(fn), name) ||
		slices.ContainsFunc(assignments(p, fn), func(a rule.Assignment) bool { return a.Target.Text() == name }) ||
		rule.Any(fn.Find("function_definition"), func(inner rule.Node) bool { return inner.ChildByField("name").Text() == name })
}

package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// imports maps the local name of every imported package to its path. Blank and
// dot imports do not count.
func imports(p *rule.Pass) map[string]string {
	return rule.Memo(p, "go.imports", func() map[string]string {
		names := map[string]string{}
		for _, n := range p.Nodes("import_spec") {
			path, _, _ := p.String(n.ChildByField("path"))
			name := n.ChildByField("name").Text()
			if name == "" {
				name = gotree.PackageName(path)
			}
			if name != "_" && name != "." {
				names[name] = path
			}
		}
		return names
	})
}

// imported gives the local name of the first of the paths the file imports, ""
// when it imports none.
func imported(p *rule.Pass, paths ...string) string {
	for _, path := range paths {
		for name, got := range imports(p) {
			if got == path {
				return name
			}
		}
	}
	return ""
}

// selector splits X.Name; the name is "" for any other expression.
func selector(n rule.Node) (x rule.Node, name string) {
	n = rule.Bare(n)
	if n.Kind() != "selector_expression" {
		return rule.Node{}, ""
	}
	return n.ChildByField("operand"), n.ChildByField("field").Text()
}

// method splits a call recv.Name(...), which may also be pkg.Name(...).
func method(call rule.Node) (recv rule.Node, name string) {
	if call.Kind() != "call_expression" {
		return rule.Node{}, ""
	}
	return selector(call.ChildByField("function"))
}

// callTo tells whether call is path.Name(...) with one of the names, path being
// an import path of this file and not shadowed by a local name.
func callTo(p *rule.Pass, call rule.Node, path string, names ...string) bool {
	x, name := method(call)
	return slices.Contains(names, name) && x.Kind() == "identifier" && imports(p)[x.Text()] == path
}

// callsTo gives the calls path.Name(...) with one of the names.
func callsTo(p *rule.Pass, path string, names ...string) []rule.Node {
	return rule.Where(p.Calls(), func(call rule.Node) bool { return callTo(p, call, path, names...) })
}

// list gives the elements of an expression list, or n alone.
func list(n rule.Node) []rule.Node {
	switch {
	case !n.Valid():
		return nil
	case n.Is("expression_list"):
		return n.Elements()
	}
	return []rule.Node{n}
}

// own visits the nodes of a function's body that run when the function itself
// runs: function literals inside it are left out.
func own(fn rule.Node, visit func(rule.Node)) {
	fn.ChildByField("body").Walk(func(n rule.Node) bool {
		if n.Kind() == "func_literal" {
			return false
		}
		visit(n)
		return true
	})
}

// parameters maps the names of fn's receiver and parameters to the text of
// their types.
func parameters(fn rule.Node) map[string]string {
	types := map[string]string{}
	for _, field := range []string{"receiver", "parameters"} {
		for name, d := range gotree.Declared(fn.ChildByField(field)) {
			types[name.Text()] = d.ChildByField("type").Text()
		}
	}
	return types
}

// parameterType is the type text of the parameter called name of the functions
// around n, the nearest first; "" when none has it.
func parameterType(p *rule.Pass, n rule.Node, name string) string {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		if t, ok := parameters(fn)[name]; ok {
			return t
		}
	}
	return ""
}

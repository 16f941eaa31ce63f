package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
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
				name = defaultName(path)
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

// defaultName is the package name a path usually declares: its last element
// without version suffixes.
func defaultName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".")
	return strings.TrimPrefix(last, "go-")
}

// selector splits X.Name; the name is "" for any other expression.
func selector(n syntax.Node) (x syntax.Node, name string) {
	n = rule.Bare(n)
	if n.Kind() != "selector_expression" {
		return syntax.Node{}, ""
	}
	return n.ChildByField("operand"), n.ChildByField("field").Text()
}

// method splits a call recv.Name(...), which may also be pkg.Name(...).
func method(call syntax.Node) (recv syntax.Node, name string) {
	if call.Kind() != "call_expression" {
		return syntax.Node{}, ""
	}
	return selector(call.ChildByField("function"))
}

// callTo tells whether call is path.Name(...) with one of the names, path being
// an import path of this file and not shadowed by a local name.
func callTo(p *rule.Pass, call syntax.Node, path string, names ...string) bool {
	x, name := method(call)
	return slices.Contains(names, name) && x.Kind() == "identifier" && imports(p)[x.Text()] == path
}

// list gives the elements of an expression list, or n alone.
func list(n syntax.Node) []syntax.Node {
	if !n.Valid() {
		return nil
	}
	if n.Kind() != "expression_list" {
		return []syntax.Node{n}
	}
	return slices.DeleteFunc(slices.Collect(n.NamedChildren()), func(c syntax.Node) bool { return c.Kind() == "comment" })
}

// own visits the nodes of a function's body that run when the function itself
// runs: function literals inside it are left out.
func own(fn syntax.Node, visit func(syntax.Node)) {
	fn.ChildByField("body").Walk(func(n syntax.Node) bool {
		if n.Kind() == "func_literal" {
			return false
		}
		visit(n)
		return true
	})
}

// parameters maps the names of fn's receiver and parameters to the text of
// their types.
func parameters(fn syntax.Node) map[string]string {
	types := map[string]string{}
	for _, field := range []string{"receiver", "parameters"} {
		for d := range fn.ChildByField(field).NamedChildren() {
			for c := range d.Children() {
				if c.Field() == "name" {
					types[c.Text()] = d.ChildByField("type").Text()
				}
			}
		}
	}
	return types
}

// parameterType is the type text of the parameter called name of the functions
// around n, the nearest first; "" when none has it.
func parameterType(p *rule.Pass, n syntax.Node, name string) string {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		if t, ok := parameters(fn)[name]; ok {
			return t
		}
	}
	return ""
}

// results gives the types of fn's results, named or not.
func results(fn syntax.Node) []string {
	r := fn.ChildByField("result")
	if !r.Valid() {
		return nil
	}
	if r.Kind() != "parameter_list" {
		return []string{r.Text()}
	}
	var types []string
	for d := range r.NamedChildren() {
		names := 0
		for c := range d.Children() {
			if c.Field() == "name" {
				names++
			}
		}
		for range max(names, 1) {
			types = append(types, d.ChildByField("type").Text())
		}
	}
	return types
}

// containsWord tells whether word stands in text with no name character right
// before or after it.
func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !nameByte(text[i-1])) && (end == len(text) || !nameByte(text[end])) {
			return true
		}
		from = end
	}
}

func nameByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

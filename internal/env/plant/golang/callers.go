package golang

import (
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// caller is a call in another file of the project than the function it calls.
type caller struct {
	file *source
	call syntax.Node
}

// String names the caller for a description: "Store.Get in store.go".
func (c caller) String() string { return nameOf(function(c.call)) + " in " + c.file.Path }

// program is what is known about all files together.
type program struct {
	calls   map[string][]caller          // by the called name
	fields  map[string]map[string]string // type "import/path.T" -> field -> its type in the same form
	results map[string]string            // function "import/path.F" or method "import/path.T.M" -> its first result's type
	vars    map[string]string            // package variable "import/path.x" -> its type
}

// index reads the whole program once.
func index(p *plant.Project) *program {
	return p.Once("go.program", func() any {
		g := &program{calls: map[string][]caller{}, fields: map[string]map[string]string{}, results: map[string]string{},
			vars: map[string]string{}}
		for _, s := range all(p) {
			pkg := importPath(p, s.Path)
			for _, call := range s.kinds["call_expression"] {
				name := call.ChildByField("function").Text()
				if _, m := method(call); m != "" {
					name = m
				}
				g.calls[name] = append(g.calls[name], caller{s, call})
			}
			for _, spec := range s.kinds["type_spec"] {
				if t := spec.ChildByField("type"); t.Kind() == "struct_type" {
					g.fields[pkg+"."+spec.ChildByField("name").Text()] = s.structFields(t, pkg)
				}
			}
			for _, fn := range s.functions() {
				if r := gotree.Results(fn); len(r) > 0 {
					g.results[pkg+"."+nameOf(fn)] = s.resolve(r[0], pkg)
				}
			}
			for _, spec := range s.kinds["var_spec"] {
				if t := spec.ChildByField("type"); t.Valid() && !function(spec).Valid() {
					g.vars[pkg+"."+spec.ChildByField("name").Text()] = s.resolve(t.Text(), pkg)
				}
			}
		}
		return g
	}).(*program)
}

// structFields maps the fields of a struct to their types, embedded ones left out.
func (s *source) structFields(t syntax.Node, pkg string) map[string]string {
	fields := map[string]string{}
	for name, f := range gotree.Declared(t.NamedChild(0)) {
		fields[name.Text()] = s.resolve(f.ChildByField("type").Text(), pkg)
	}
	return fields
}

// importPath is the import path of the package that a file belongs to: its directory below the nearest go.mod.
func importPath(p *plant.Project, name string) string {
	dir := path.Dir(name)
	return p.Once("go.dir:"+dir, func() any {
		for at := dir; ; at = path.Dir(at) {
			for line := range strings.Lines(p.Text(path.Join(at, "go.mod"))) {
				if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
					return path.Join(module, strings.TrimPrefix(strings.TrimPrefix(dir, at), "/"), ".")
				}
			}
			if at == "." || at == "/" {
				return dir
			}
		}
	}).(string)
}

// resolve gives a type its package: "*store.Loan" becomes "example.com/x/store.Loan", "Loan" the file's own package.
// Other types than named ones stay as they are.
func (s *source) resolve(t, pkg string) string {
	t, _, _ = strings.Cut(strings.TrimLeft(t, "*"), "[")
	if qualifier, name, ok := strings.Cut(t, "."); ok {
		return s.imports[qualifier] + "." + name
	}
	return pkg + "." + t
}

// typeOf is the named type of a variable, a field of one, or a call's result, "" when that is not written down.
func (s *source) typeOf(g *program, n syntax.Node) string {
	pkg := importPath(s.Project, s.Path)
	switch n.Kind() {
	case "parenthesized_expression", "unary_expression":
		return s.typeOf(g, n.NamedChild(0))
	case "composite_literal":
		return s.resolve(n.ChildByField("type").Text(), pkg)
	case "call_expression":
		return g.results[s.target(g, n)]
	case "selector_expression":
		x, field := n.ChildByField("operand"), n.ChildByField("field").Text()
		if imported, ok := s.imports[x.Text()]; ok {
			return g.vars[imported+"."+field]
		}
		return g.fields[s.typeOf(g, x)][field]
	case "identifier":
		return s.typeOfName(g, n, pkg)
	}
	return ""
}

// typeOfName looks a name up: the declarations before it in the function, the parameters, the package's variables.
func (s *source) typeOfName(g *program, n syntax.Node, pkg string) string {
	for fn := function(n); fn.Valid(); fn = function(fn) {
		found, value := "", syntax.Node{}
		for d := range fn.ChildByField("body").Find("short_var_declaration", "var_spec") {
			if d.Start() >= n.Start() {
				break
			}
			if d.End() > n.Start() {
				continue // the name stands in its own declaration: it is another one of that name, or a closure calls itself
			}
			if d.Kind() == "var_spec" {
				if t := d.ChildByField("type"); t.Valid() && d.ChildByField("name").Text() == n.Text() {
					found, value = s.resolve(t.Text(), pkg), syntax.Node{}
				}
				continue
			}
			if left, right := d.ChildByField("left").Elements(), d.ChildByField("right").Elements(); len(left) > 0 && left[0].Text() == n.Text() &&
				len(right) > 0 {
				found, value = "", right[0]
			}
		}
		if value.Valid() { // only the last one is looked into, which keeps chains of names short
			found = s.typeOf(g, value)
		}
		if found != "" {
			return found
		}
		for name, d := range gotree.Declared(fn.ChildByField("parameters")) {
			if name.Text() == n.Text() {
				return s.resolve(d.ChildByField("type").Text(), pkg)
			}
		}
		if receiver(fn) == n.Text() {
			return s.resolve(receiverType(fn), pkg)
		}
	}
	return g.vars[pkg+"."+n.Text()]
}

// target names the function that a call calls as the index does, "" when that cannot be told.
func (s *source) target(g *program, call syntax.Node) string {
	x, name := method(call)
	if name == "" {
		return importPath(s.Project, s.Path) + "." + call.ChildByField("function").Text()
	}
	if imported, ok := s.imports[x.Text()]; ok && x.Kind() == "identifier" {
		return imported + "." + name
	}
	if t := s.typeOf(g, x); t != "" {
		return t + "." + name
	}
	return ""
}

// callers lists the calls of fn, a function of s, that stand in other files.
func (s *source) callers(fn syntax.Node) []caller {
	var out []caller
	for _, c := range callsByTarget(s.Project)[importPath(s.Project, s.Path)+"."+nameOf(fn)] {
		if c.file.Path != s.Path {
			out = append(out, c)
		}
	}
	return out
}

// relying is a caller of fn in another file that assigns the results to new names and passes a test, which gets those
// names. It is false where there is none.
func (s *source) relying(fn syntax.Node, test func(c caller, names []syntax.Node) bool) (caller, bool) {
	for _, c := range s.callers(fn) {
		assign := statement(c.call)
		if names := assign.ChildByField("left").Elements(); assign.Kind() == "short_var_declaration" && len(names) > 0 && test(c, names) {
			return c, true
		}
	}
	return caller{}, false
}

// callsByTarget resolves the calls of the whole program that may be of its own functions.
func callsByTarget(p *plant.Project) map[string][]caller {
	return p.Once("go.targets", func() any {
		g := index(p)
		targets, seen := map[string][]caller{}, map[string]bool{}
		for _, s := range all(p) {
			for _, fn := range s.functions() {
				name := fn.ChildByField("name").Text()
				if seen[name] {
					continue
				}
				seen[name] = true
				for _, c := range g.calls[name] {
					if target := c.file.target(g, c.call); target != "" {
						targets[target] = append(targets[target], c)
					}
				}
			}
		}
		return targets
	}).(map[string][]caller)
}

package golang

import (
	"iter"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// source is one file as operators see it.
type source struct {
	*plant.File
	kinds   map[string][]syntax.Node // in source order
	imports map[string]string        // import path by local name
}

// looked at kinds: one walk over a file serves all operators.
var kindsWanted = []string{
	"assignment_statement", "binary_expression", "call_expression", "composite_literal", "defer_statement", "field_declaration",
	"for_statement", "func_literal", "function_declaration", "if_statement", "import_spec", "method_declaration",
	"parameter_declaration", "return_statement", "short_var_declaration", "type_spec", "var_spec", "import_declaration",
	"expression_statement", "selector_expression", "identifier", "package_identifier", "const_spec", "slice_expression", "index_expression",
}

// open reads a file once for all operators; nil when it does not parse.
func open(p *plant.Project, name string) *source {
	s, _ := p.Once("go.source:"+name, func() any {
		f := p.Open(name)
		if f == nil {
			return (*source)(nil)
		}
		s := &source{File: f, kinds: map[string][]syntax.Node{}, imports: map[string]string{}}
		for n := range s.Root.Find(kindsWanted...) {
			s.kinds[n.Kind()] = append(s.kinds[n.Kind()], n)
		}
		for _, spec := range s.kinds["import_spec"] {
			imported := strings.Trim(spec.ChildByField("path").Text(), "\"`")
			local := spec.ChildByField("name").Text()
			if local == "" {
				local = gotree.PackageName(imported)
			}
			s.imports[local] = imported
		}
		return s
	}).(*source)
	return s
}

// all opens every Go file that is not a test.
func all(p *plant.Project) []*source {
	return p.Once("go.all", func() any {
		var out []*source
		for f := range p.Sources("go") {
			out = append(out, open(p, f.Path))
		}
		return out
	}).([]*source)
}

// functions lists the functions and methods with a body, literals left out.
func (s *source) functions() []syntax.Node {
	var out []syntax.Node
	for _, kind := range []string{"function_declaration", "method_declaration"} {
		for _, n := range s.kinds[kind] {
			if n.ChildByField("body").Valid() {
				out = append(out, n)
			}
		}
	}
	slices.SortFunc(out, func(a, b syntax.Node) int { return a.Start() - b.Start() })
	return out
}

// function is the function, method or literal around n.
func function(n syntax.Node) syntax.Node {
	return n.Enclosing("function_declaration", "method_declaration", "func_literal")
}

// nameOf is what a description calls a function: Store.Get, or the name of the function around a literal.
func nameOf(fn syntax.Node) string {
	for fn.Kind() == "func_literal" {
		fn = function(fn)
	}
	if t := receiverType(fn); t != "" {
		return t + "." + fn.ChildByField("name").Text()
	}
	return fn.ChildByField("name").Text()
}

// receiver is the name of a method's receiver, receiverType its type without star and type parameters.
func receiver(fn syntax.Node) string {
	return fn.ChildByField("receiver").NamedChild(0).ChildByField("name").Text()
}

func receiverType(fn syntax.Node) string {
	t, _, _ := strings.Cut(strings.TrimLeft(fn.ChildByField("receiver").NamedChild(0).ChildByField("type").Text(), "*&"), "[")
	return t[strings.LastIndex(t, ".")+1:]
}

// parameters maps the names of fn's parameters and receiver to the text of their types; literals see those of the
// functions around them.
func parameters(fn syntax.Node) map[string]string {
	types := map[string]string{}
	for ; fn.Valid(); fn = function(fn) {
		for _, field := range []string{"parameters", "receiver"} {
			for name, d := range gotree.Declared(fn.ChildByField(field)) {
				if types[name.Text()] != "" {
					continue
				}
				types[name.Text()] = d.ChildByField("type").Text()
				if d.Kind() == "variadic_parameter_declaration" {
					types[name.Text()] = "[]" + types[name.Text()]
				}
			}
		}
	}
	return types
}

// method splits a call x.Name(...), which may be pkg.Name(...) as well.
func method(call syntax.Node) (x syntax.Node, name string) {
	if f := call.ChildByField("function"); call.Kind() == "call_expression" && f.Kind() == "selector_expression" {
		return f.ChildByField("operand"), f.ChildByField("field").Text()
	}
	return syntax.Node{}, ""
}

func arguments(call syntax.Node) []syntax.Node { return call.ChildByField("arguments").Elements() }

// callTo says whether call is path.Name(...) with one of the names.
func (s *source) callTo(call syntax.Node, importPath string, names ...string) bool {
	x, name := method(call)
	return slices.Contains(names, name) && x.Kind() == "identifier" && s.imports[x.Text()] == importPath
}

// calls gives the calls of the file with their arguments, callsTo those of path.Name(...) with one of the names.
func (s *source) calls() iter.Seq2[syntax.Node, []syntax.Node] {
	return plant.Calls(slices.Values(s.kinds["call_expression"]), arguments, nil)
}

func (s *source) callsTo(importPath string, names ...string) iter.Seq2[syntax.Node, []syntax.Node] {
	return plant.Calls(slices.Values(s.kinds["call_expression"]), arguments, func(call syntax.Node) bool {
		return s.callTo(call, importPath, names...)
	})
}

// statement is the statement that n stands in, up to the one directly in a block.
func statement(n syntax.Node) syntax.Node {
	for n.Valid() && n.Parent().Kind() != "statement_list" && n.Parent().Kind() != "block" {
		n = n.Parent()
	}
	return n
}

// isString says whether an expression surely is a string: a literal, a string parameter, a concatenation of them.
func isString(n syntax.Node) bool {
	switch n.Kind() {
	case "interpreted_string_literal", "raw_string_literal":
		return true
	case "identifier":
		return parameters(function(n))[n.Text()] == "string" && !rebound(function(n), n)
	case "binary_expression":
		return n.Operator() == "+" && isString(n.ChildByField("left")) && isString(n.ChildByField("right"))
	}
	return false
}

// rebound says whether the name of n is declared anew between the head of fn and n.
func rebound(fn, n syntax.Node) bool {
	for d := range fn.Find("short_var_declaration", "var_spec", "range_clause") {
		if d.Start() >= n.Start() {
			break
		}
		left := d.ChildByField("left")
		if d.Kind() == "var_spec" {
			left = d
		}
		for c := range left.NamedChildren() {
			if c.Kind() == "identifier" && c.Text() == n.Text() {
				return true
			}
		}
	}
	return false
}

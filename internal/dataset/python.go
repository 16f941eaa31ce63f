package dataset

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// python reads programs by their syntax trees.
type python struct {
	parser *syntax.Parser
	close  func()
}

// The ways in which a module's own names come to be.
const (
	byFunction = "function"
	byClass    = "class"
	byAssign   = "assignment"
	byImport   = "import"
)

// definition is a name that a module defines at its top level.
type definition struct {
	name string
	how  string
	node syntax.Node // the whole statement, decorators included
	// signature is a function's head on one line, "" for all else.
	signature string
}

// module is a parsed program.
type module struct {
	root syntax.Node
	// defs are in source order; a name that is defined twice stands twice.
	defs []definition
	// broken: some part of it is not Python.
	broken bool
}

// parse reads src, which may be broken: then its readable parts are there.
func (p *python) parse(ctx context.Context, src string) (*module, error) {
	tree, err := p.parser.Parse(ctx, "python", []byte(src))
	if err != nil {
		return nil, err
	}
	m := &module{root: tree.Root(), broken: tree.HasError()}
	for stmt := range m.root.NamedChildren() {
		m.define(stmt, stmt)
	}
	return m, nil
}

// define collects what one statement of the top level defines; whole is the statement with its decorators.
func (m *module) define(stmt, whole syntax.Node) {
	add := func(name, how string) { m.defs = append(m.defs, definition{name: name, how: how, node: whole}) }
	switch stmt.Kind() {
	case "decorated_definition":
		m.define(stmt.ChildByField("definition"), stmt)
	case "function_definition":
		m.defs = append(m.defs, definition{
			name: stmt.ChildByField("name").Text(), how: byFunction, node: whole, signature: signature(stmt),
		})
	case "class_definition":
		add(stmt.ChildByField("name").Text(), byClass)
	case "import_statement", "import_from_statement":
		for _, name := range imported(stmt) {
			add(name, byImport)
		}
	case "expression_statement":
		for child := range stmt.NamedChildren() {
			for child.Kind() == "assignment" { // a = b = 1
				for _, name := range targets(child.ChildByField("left")) {
					add(name, byAssign)
				}
				child = child.ChildByField("right")
			}
		}
	}
}

// targets returns the names that an assignment to n binds.
func targets(n syntax.Node) []string {
	switch n.Kind() {
	case "identifier":
		return []string{n.Text()}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "lambda_parameters":
		var names []string
		for child := range n.NamedChildren() {
			names = append(names, targets(child)...)
		}
		return names
	}
	return nil // an attribute or an element of something
}

// imported returns the names that an import statement binds.
func imported(stmt syntax.Node) []string {
	var names []string
	for child := range stmt.NamedChildren() {
		if child.Field() != "name" {
			continue
		}
		switch {
		case child.Kind() == "aliased_import":
			names = append(names, child.ChildByField("alias").Text())
		default: // import a.b binds a
			first, _, _ := strings.Cut(child.Text(), ".")
			names = append(names, first)
		}
	}
	return names
}

// signature returns a function's head on one line, without comments.
func signature(fn syntax.Node) string {
	var b strings.Builder
	if strings.HasPrefix(fn.Text(), "async") {
		b.WriteString("async ")
	}
	b.WriteString("def " + fn.ChildByField("name").Text() + "(")
	n := 0
	for param := range fn.ChildByField("parameters").NamedChildren() {
		if param.Kind() == "comment" {
			continue
		}
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString(oneLine(param.Text()))
		n++
	}
	b.WriteString(")")
	if to := fn.ChildByField("return_type"); to.Valid() {
		b.WriteString(" -> " + oneLine(to.Text()))
	}
	return b.String() + ":"
}

// oneLine joins the lines of a parameter that was broken over several.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return termtext.OneLine(s)
}

// names returns the names that the code below n takes from outside, sorted: not an attribute's name, nor an
// argument's, nor what n itself binds somewhere.
func names(n syntax.Node) []string {
	used, bound := identifiers(n), map[string]bool{}
	for binder := range n.Find("for_in_clause", "for_statement", "assignment", "lambda_parameters") {
		left := binder
		if binder.Kind() != "lambda_parameters" {
			left = binder.ChildByField("left")
		}
		for _, name := range targets(left) {
			bound[name] = true
		}
	}
	maps.DeleteFunc(used, func(name string, _ bool) bool { return bound[name] })
	return slices.Sorted(maps.Keys(used))
}

// identifiers returns all names below n that stand for a value, wherever they are bound.
func identifiers(n syntax.Node) map[string]bool {
	all := map[string]bool{}
	for id := range n.Find("identifier") {
		switch parent := id.Parent(); {
		case parent.Kind() == "attribute" && id.Field() == "attribute",
			parent.Kind() == "keyword_argument" && id.Field() == "name":
		default:
			all[id.Text()] = true
		}
	}
	return all
}

// calls counts the calls below n of a plain name.
func calls(n syntax.Node) map[string]int {
	all := map[string]int{}
	for call := range n.Find("call") {
		if f := call.ChildByField("function"); f.Kind() == "identifier" {
			all[f.Text()]++
		}
	}
	return all
}

// last returns the definition of name that holds when the module has run.
func (m *module) last(name string) (definition, bool) {
	for _, d := range slices.Backward(m.defs) {
		if d.name == name {
			return d, true
		}
	}
	return definition{}, false
}

// need is what tests take from the program that they test.
type need struct {
	entry     string // the function that they call
	signature string
	names     []string // further names that they use, sorted
	imports   string   // the reference's imports that they use
}

// needs finds out what tests take from the reference m, where they do not have it from setup: the entry point is the
// function they call, the most often called where there are several, the last defined of those. It is "" where they
// call nothing that m defines.
func (m *module) needs(tests syntax.Node, setup *module) need {
	var n need
	most := 0
	called := calls(tests)
	for _, d := range m.defs {
		// An assignment can make a function too, as in f = lambda x: x.
		if c := called[d.name]; (d.how == byFunction || d.how == byAssign) && c >= most && c > 0 && !setup.defines(d.name) {
			n.entry, n.signature, most = d.name, d.signature, c
		}
	}
	for _, name := range names(tests) {
		d, ok := m.last(name)
		switch {
		case !ok || name == n.entry || setup.defines(name):
		case d.how == byImport:
			if s := d.node.Text() + "\n"; !strings.Contains(n.imports, s) {
				n.imports += s
			}
		default:
			n.names = append(n.names, name)
		}
	}
	return n
}

// supply returns those statements of m, in order, that define what code uses and does not define, and what these use
// themselves.
func (m *module) supply(code *module) string {
	wanted := slices.DeleteFunc(names(code.root), code.defines)
	taken := map[syntax.Node]bool{}
	for len(wanted) > 0 {
		d, ok := m.last(wanted[0])
		wanted = wanted[1:]
		if ok && !taken[d.node] {
			taken[d.node] = true
			wanted = append(wanted, names(d.node)...)
		}
	}
	var b strings.Builder
	for stmt := range m.root.NamedChildren() {
		if taken[stmt] {
			b.WriteString(stmt.Text() + "\n")
		}
	}
	return b.String()
}

// made says whether a statement of the top level defines something.
func (m *module) made(stmt syntax.Node) bool {
	return slices.ContainsFunc(m.defs, func(d definition) bool { return d.node == stmt })
}

// defines says whether name is one of m's.
func (m *module) defines(name string) bool {
	_, ok := m.last(name)
	return ok
}

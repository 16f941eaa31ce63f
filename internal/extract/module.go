package extract

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// module is a text read as a program.
type module struct {
	src   string
	root  syntax.Node
	stmts []syntax.Node // of the top level, without comments
	// clean says that the text is a program: no error anywhere, and laid out as Python wants it.
	clean bool
}

// parse reads a text as a program. One that the parser refuses, for its size, is not a program.
func (x *Extractor) parse(ctx context.Context, src string) (*module, error) {
	m := &module{src: src}
	parser, err := x.open()
	if err != nil {
		return nil, err
	}
	tree, err := parser.Parse(ctx, "python", []byte(src))
	switch {
	case err == nil:
	case errors.Is(err, syntax.ErrTooLarge), errors.Is(err, syntax.ErrTooHard) && ctx.Err() == nil:
		return m, nil
	default:
		return nil, err
	}
	m.root = tree.Root()
	for n := range m.root.NamedChildren() {
		if n.Kind() != "comment" {
			m.stmts = append(m.stmts, n)
		}
	}
	m.clean = !tree.HasError() && !tree.Truncated() && m.laidOut()
	return m, nil
}

// laidOut checks what the grammar lets pass and Python does not: statements of one block in different columns, blocks
// with nothing in them, the statements of Python 2, and a return outside of functions.
func (m *module) laidOut() bool {
	good := m.aligned(m.root, 0)
	m.root.Walk(func(n syntax.Node) bool {
		if !good {
			return false
		}
		switch n.Kind() {
		case "print_statement", "exec_statement":
			good = false
		case "block":
			if n.NumNamed() == 0 || !holdsCode(n) {
				good = false
			} else {
				good = m.aligned(n, -1)
			}
		case "function_definition", "class_definition":
			body := n.ChildByField("body")
			good = body.Valid() && body.NumNamed() > 0
		case "return_statement":
			good = n.Enclosing("function_definition").Valid()
		}
		return good
	})
	return good
}

// holdsCode says whether a block has a statement: comments are none.
func holdsCode(block syntax.Node) bool {
	for n := range block.NamedChildren() {
		if n.Kind() != "comment" {
			return true
		}
	}
	return false
}

// aligned says whether the statements that begin a line begin in one column; -1: in that of the first.
func (m *module) aligned(block syntax.Node, column int) bool {
	for n := range block.NamedChildren() {
		if n.Kind() == "comment" {
			continue
		}
		at, first := m.column(n.Start())
		if !first {
			continue
		}
		if column < 0 {
			column = at
		}
		if at != column {
			return false
		}
	}
	return true
}

// column is how far into its line an offset is, and whether only blanks stand before it. A tab counts to the next
// multiple of eight, as Python counts.
func (m *module) column(at int) (int, bool) {
	line := m.src[strings.LastIndexByte(m.src[:at], '\n')+1 : at]
	column := 0
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		case '\f':
			column = 0
		default:
			return column, false
		}
	}
	return column, true
}

// definition is how the top level gets a name.
type definition struct {
	name string
	node syntax.Node // of the statement
	// function is the def, where it is one.
	function syntax.Node
}

// definitions are the names that the top level gets, in order, those within its if, try, with and loops included.
func (m *module) definitions() []definition {
	var all []definition
	for _, s := range m.stmts {
		all = define(all, s, s)
	}
	return all
}

func define(all []definition, n, whole syntax.Node) []definition {
	switch n.Kind() {
	case "decorated_definition":
		return define(all, n.ChildByField("definition"), whole)
	case "function_definition":
		return append(all, definition{n.ChildByField("name").Text(), whole, n})
	case "class_definition":
		return append(all, definition{name: n.ChildByField("name").Text(), node: whole})
	case "expression_statement":
		for c := range n.NamedChildren() {
			all = define(all, c, whole)
		}
	case "assignment":
		for name := range targets(n.ChildByField("left")) {
			all = append(all, definition{name: name, node: whole})
		}
		if right := n.ChildByField("right"); right.Kind() == "assignment" { // a = b = 1
			all = define(all, right, whole)
		}
	case "import_statement", "import_from_statement", "future_import_statement":
		module := n.ChildByField("module_name")
		for c := range n.NamedChildren() {
			switch {
			case c == module:
			case c.Kind() == "aliased_import":
				all = append(all, definition{name: c.ChildByField("alias").Text(), node: whole})
			case c.Kind() == "dotted_name":
				name, _, _ := strings.Cut(c.Text(), ".")
				all = append(all, definition{name: name, node: whole})
			}
		}
	case "if_statement", "try_statement", "with_statement", "for_statement", "while_statement", "else_clause", "elif_clause", "except_clause",
		"finally_clause", "block":
		for c := range n.NamedChildren() {
			all = define(all, c, whole)
		}
	}
	return all
}

// targets are the names that an assignment gives a value to.
func targets(left syntax.Node) map[string]bool {
	names := map[string]bool{}
	switch left.Kind() {
	case "identifier":
		names[left.Text()] = true
	case "pattern_list", "tuple_pattern", "list_pattern":
		for c := range left.NamedChildren() {
			maps.Copy(names, targets(c))
		}
	}
	return names
}

// defines says whether the top level gets that name.
func (m *module) defines(name string) bool {
	return slices.ContainsFunc(m.definitions(), func(d definition) bool { return d.name == name })
}

// uses are the names that a part of the program mentions.
func uses(n syntax.Node) map[string]bool {
	names := map[string]bool{}
	if n.Kind() == "identifier" {
		names[n.Text()] = true
	}
	for c := range n.Find("identifier") {
		names[c.Text()] = true
	}
	return names
}

// calls are the functions that a part of the program calls by name, as print or unittest.main.
func calls(n syntax.Node) map[string]bool {
	names := map[string]bool{}
	add := func(c syntax.Node) { names[c.ChildByField("function").Text()] = true }
	if n.Kind() == "call" {
		add(n)
	}
	for c := range n.Find("call") {
		add(c)
	}
	return names
}

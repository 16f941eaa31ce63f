package ir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Node is a node of a syntax tree.
type Node = syntax.Node

// dialect lowers the nodes of one language.
type dialect struct {
	expr func(l *lowerer, n Node) *Expr
	stmt func(l *lowerer, n Node) []*Stmt
}

var dialects = map[string]dialect{
	"python":     {pythonExpr, pythonStmt},
	"java":       {javaExpr, javaStmt},
	"javascript": {javascriptExpr, javascriptStmt},
	"typescript": {javascriptExpr, javascriptStmt},
	"tsx":        {javascriptExpr, javascriptStmt},
	"go":         {goExpr, goStmt},
	"php":        {phpExpr, phpStmt},
	"ruby":       {rubyExpr, rubyStmt},
}

// Reads reports a language that Lower reads.
func Reads(language string) bool {
	_, ok := dialects[language]
	return ok
}

// Lower reads a file's tree. A language that it does not read gives nil.
func Lower(path, language string, tree *syntax.Tree) *File {
	d, ok := dialects[language]
	if !ok {
		return nil
	}
	f := &File{Path: path, Language: language, Imports: map[string]string{}, Classes: map[string]*Class{}}
	l := &lowerer{dialect: d, file: f}
	top := &Func{File: f, Node: tree.Root()}
	f.Funcs = append(f.Funcs, top)
	l.fn = top
	top.Body = l.s(tree.Root())
	return f
}

// maxDepth bounds how deep nested code is read.
const maxDepth = 400

type lowerer struct {
	dialect
	file  *File
	fn    *Func
	class string
	depth int
}

// e lowers an expression; the zero Node is one that says nothing.
func (l *lowerer) e(n Node) *Expr {
	if !n.Valid() || l.depth > maxDepth {
		return &Expr{Node: n}
	}
	l.depth++
	defer func() { l.depth-- }()
	if x := l.expr(l, n); x != nil {
		return x
	}
	return l.parts(n)
}

// parts is an expression of which nothing is known but its parts.
func (l *lowerer) parts(n Node) *Expr {
	return &Expr{Op: Unknown, Args: l.all(n), Node: n}
}

// all lowers the named children.
func (l *lowerer) all(n Node) []*Expr {
	var list []*Expr
	for c := range n.NamedChildren() {
		if !c.IsComment() {
			list = append(list, l.e(c))
		}
	}
	return list
}

// children lowers the named children as statements.
func (l *lowerer) children(n Node) []*Stmt {
	var list []*Stmt
	for c := range n.NamedChildren() {
		if !c.IsComment() {
			list = append(list, l.s(c)...)
		}
	}
	return list
}

// s lowers a statement; what is none is an expression.
func (l *lowerer) s(n Node) []*Stmt {
	if !n.Valid() || l.depth > maxDepth {
		return nil
	}
	l.depth++
	defer func() { l.depth-- }()
	return l.stmt(l, n)
}

// body lowers a block, or a statement in its place.
func (l *lowerer) body(n Node) []*Stmt {
	if n.Is("block", "statement_block", "compound_statement", "body_statement", "block_body", "then", "else", "do") {
		return l.children(n)
	}
	return l.s(n)
}

// function lowers a function: add fills in what the dialect knows of it, parameters and body within it.
func (l *lowerer) function(n Node, name string, add func(f *Func)) *Func {
	f := &Func{Name: name, Class: l.class, Node: n, File: l.file, Outer: l.fn}
	if l.fn != nil && l.fn.Outer != nil && l.fn.Class != "" && l.fn.Class == l.class {
		f.Class = "" // a function within a method is none itself
	}
	l.file.Funcs = append(l.file.Funcs, f)
	outer := l.fn
	l.fn = f
	add(f)
	l.fn = outer
	return f
}

// within lowers what belongs to a class.
func (l *lowerer) within(class *Class, do func()) {
	outer := l.class
	l.class = class.Name
	if old := l.file.Classes[class.Name]; old == nil {
		l.file.Classes[class.Name] = class
	}
	do()
	l.class = outer
}

func do(x *Expr) []*Stmt { return []*Stmt{{Op: Do, Value: x}} }

func assign(target, value *Expr, operator string) []*Stmt {
	if operator == "=" || operator == ":=" {
		operator = ""
	}
	return []*Stmt{{Op: Assign, Target: target, Value: value, Text: strings.TrimSuffix(operator, "=")}}
}

func name(text string, n Node) *Expr { return &Expr{Op: Name, Text: text, Node: n} }

func constant(kind Kind, text string, n Node) *Expr {
	return &Expr{Op: Const, Kind: kind, Text: text, Node: n}
}

// same hands on the value of x.
func same(x *Expr, n Node) *Expr { return &Expr{Op: Same, Args: []*Expr{x}, Node: n} }

// unquoted is a string literal's text where it stands in quotes, with the escapes of all languages.
func unquoted(text string) string {
	text = strings.TrimLeft(text, "rRbBuUfFtT@$")
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`"} {
		if len(text) >= 2*len(q) && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			text = text[len(q) : len(text)-len(q)]
			break
		}
	}
	return unescaped(text)
}

func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	text = strings.ReplaceAll(text, `\'`, `'`) // which Go's own strings do not know
	if s, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(text, "\n", `\n`), `"`, `\"`) + `"`); err == nil {
		return s
	}
	return text
}

// last is the part of a dotted name behind its last dot.
func last(dotted string) string { return dotted[strings.LastIndexAny(dotted, `./\:`)+1:] }

// fieldsOf gives those named children that have the field.
func fieldsOf(n Node, field string) []Node {
	var list []Node
	for c := range n.NamedChildren() {
		if c.Field() == field && !c.IsComment() {
			list = append(list, c)
		}
	}
	return list
}

// firstOf is the first named child of one of the kinds.
func firstOf(n Node, kinds ...string) Node {
	for c := range n.NamedChildren() {
		if slices.Contains(kinds, c.Kind()) {
			return c
		}
	}
	return Node{}
}

package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// drop takes a statement out. The edit writes the line behind it again, or the one before it when it is the last, so
// that there is a line where something is missing.
func (f file) drop(statement syntax.Node) (plant.Edit, bool) {
	if statement.Parent().Kind() != "block" {
		return plant.Edit{}, false
	}
	if n := statement.NextElement(); n.Valid() {
		end := min(n.End(), f.NextLine(n.Start()))
		return f.Edit(statement.Start(), end, f.Text[n.Start():end]), true
	}
	p := statement.PrevSibling()
	for p.Valid() && (!p.Named() || p.IsComment()) {
		p = p.PrevSibling()
	}
	if !p.Valid() {
		return plant.Edit{}, false
	}
	start := max(p.Start(), f.LineStart(p.End()))
	return f.Edit(start, statement.End(), f.Text[start:p.End()]), true
}

// dedent takes an indentation back on the lines between two offsets.
func (f file) dedent(from, to int, inner, outer string) []plant.Edit {
	var edits []plant.Edit
	for at := from; at < to; at = f.NextLine(at) {
		if len(inner) > len(outer) && strings.HasPrefix(f.Text[at:], inner) {
			edits = append(edits, f.Edit(at, at+len(inner)-len(outer), ""))
		}
	}
	return edits
}

// leaves says whether a statement ends the method: it throws, or returns.
func leaves(n syntax.Node) bool {
	if n.Kind() == "block" {
		all := n.Elements()
		return len(all) > 0 && leaves(all[len(all)-1])
	}
	return n.Kind() == "throw_statement" || n.Kind() == "return_statement"
}

// guard is an if without else that leaves the method.
func guard(n syntax.Node) bool {
	return n.Kind() == "if_statement" && !n.ChildByField("alternative").Valid() && leaves(n.ChildByField("consequence"))
}

// locked says whether a node runs under a lock that its method takes.
func locked(n syntax.Node) bool {
	m := n.Enclosing("method_declaration", "constructor_declaration")
	return n.Enclosing("synchronized_statement").Valid() || modifier(m, "synchronized") || strings.Contains(m.Text(), ".lock()")
}

// initial is what a class gives one of its fields when it is declared.
func initial(class syntax.Node, name string) syntax.Node {
	name = strings.TrimPrefix(name, "this.")
	return syntax.First(field(class, name).NamedChildren(), func(c syntax.Node) bool {
		return c.Kind() == "variable_declarator" && c.ChildByField("name").Text() == name
	}).ChildByField("value")
}

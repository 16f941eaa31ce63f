package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// withStatement is a with statement, its only item, its indentation, and the statements below it.
type withStatement struct {
	node, item syntax.Node
	indent     string
	stmts      []syntax.Node
}

// withs gives the with statements that have lines of their own.
func (s *source) withs() []withStatement {
	var all []withStatement
	for _, w := range s.nodes("with_statement") {
		indent, ok := s.indent(w)
		if stmts := body(w).Statements(); ok && len(stmts) > 0 && stmts[0].Line() != w.Line() {
			all = append(all, withStatement{w, onlyItem(w), indent, stmts})
		}
	}
	return all
}

// onlyItem is the expression of a with statement that has one, and no name for it.
func onlyItem(w syntax.Node) syntax.Node {
	clause := w.NamedChild(0)
	if clause.Kind() != "with_clause" || clause.NumNamed() != 1 {
		return syntax.Node{}
	}
	value := clause.NamedChild(0).ChildByField("value")
	for value.Kind() == "parenthesized_expression" && value.NumNamed() == 1 {
		value = value.NamedChild(0)
	}
	return value
}

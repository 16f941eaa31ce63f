package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// LockSplit lets go of the lock between reading a value and writing it back.
func (*operators) LockSplit(s *source) {
	for _, w := range s.withs() {
		if !lockName.MatchString(w.item.Text()) || !named(w.item) || len(w.stmts) < 2 {
			continue
		}
		at := len(w.stmts) - 1
		if w.stmts[at].Kind() == "return_statement" && at > 1 {
			at--
		}
		written := storedInto(w.stmts[at])
		if written == "" || !readsBefore(w.stmts[:at], written) || !s.alone(w.stmts[at]) {
			continue
		}
		s.reportMoved(w.stmts[at], w.stmts[at:], "", w.indent, "",
			"%s reads %s under %s and writes it back after letting go: what another thread wrote in between is lost.", where(w.node), written,
			w.item.Text())
	}
}

// storedInto names the attribute of self that a statement is there to write, "" for any other statement.
func storedInto(stmt syntax.Node) string {
	if stmt.Kind() != "expression_statement" {
		return ""
	}
	if k := stmt.NamedChild(0).Kind(); k != "assignment" && k != "call" {
		return ""
	}
	return writesShared(stmt)
}

// readsBefore tells whether one of the statements takes a value out of the attribute into a name.
func readsBefore(stmts []syntax.Node, attribute string) bool {
	return slices.ContainsFunc(stmts, func(stmt syntax.Node) bool {
		a := stmt.NamedChild(0)
		return a.Kind() == "assignment" && a.ChildByField("left").Kind() == "identifier" &&
			strings.Contains(a.ChildByField("right").Text(), attribute)
	})
}

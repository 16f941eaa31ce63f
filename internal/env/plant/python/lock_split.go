package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// LockSplit lets go of the lock between reading a value and writing it back.
func (*operators) LockSplit(s *source) {
	for _, w := range s.nodes("with_statement") {
		lock := onlyItem(w)
		if !lockName.MatchString(lock.Text()) || !named(lock) {
			continue
		}
		stmts := body(w).Statements()
		indent, ok := s.indent(w)
		if !ok || len(stmts) < 2 || stmts[0].Line() == w.Line() {
			continue
		}
		at := len(stmts) - 1
		if stmts[at].Kind() == "return_statement" && at > 1 {
			at--
		}
		written := storedInto(stmts[at])
		if written == "" || !readsBefore(stmts[:at], written) {
			continue
		}
		text, ok := s.moved(stmts[at], stmts[len(stmts)-1], indent)
		if !ok || lines(text) > 6 || !s.alone(stmts[at]) {
			continue
		}
		s.Report(s.Edit(s.LineStart(stmts[at].Start()), stmts[len(stmts)-1].End(), text),
			"%s reads %s under %s and writes it back after letting go: what another thread wrote in between is lost.", where(w), written,
			lock.Text())
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
	for _, stmt := range stmts {
		a := stmt.NamedChild(0)
		if a.Kind() == "assignment" && a.ChildByField("left").Kind() == "identifier" &&
			strings.Contains(a.ChildByField("right").Text(), attribute) {
			return true
		}
	}
	return false
}

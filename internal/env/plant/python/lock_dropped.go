package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`(?i)(^|[._])\w*(lock|mutex|guard)$`)

// LockDropped takes the lock away from around a change.
func (*operators) LockDropped(s *source) {
	for _, w := range s.nodes("with_statement") {
		lock := onlyItem(w)
		if !lockName.MatchString(lock.Text()) || lock.Kind() != "attribute" && lock.Kind() != "identifier" {
			continue
		}
		block := body(w)
		stmts := block.Statements()
		changed := writesShared(block)
		indent, ok := s.indent(w)
		if !ok || len(stmts) == 0 || changed == "" || !inSteps(stmts, changed) || !s.alone(w) {
			continue
		}
		text, ok := s.moved(stmts[0], stmts[len(stmts)-1], indent)
		if !ok || lines(text) > 6 || stmts[0].Line() == w.Line() {
			continue
		}
		s.Report(s.Edit(s.LineStart(w.Start()), stmts[len(stmts)-1].End(), text),
			"%s changes %s without holding %s: two threads at once lose an update or see a half-made one.", where(w), changed, lock.Text())
	}
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

// inSteps tells whether what happens to an attribute takes several steps, between which another thread may come.
func inSteps(stmts []syntax.Node, attribute string) bool {
	if len(stmts) > 1 {
		return true
	}
	for n := range stmts[0].Find("augmented_assignment", "assignment") {
		if n.Kind() == "augmented_assignment" || strings.Contains(n.ChildByField("right").Text(), attribute) {
			return true
		}
	}
	return stmts[0].Kind() != "expression_statement" && stmts[0].Kind() != "delete_statement"
}

var changers = regexp.MustCompile(`^(append|add|pop|popitem|popleft|appendleft|update|setdefault|clear|remove|discard|extend|insert|` +
	`move_to_end)$`)

// writesShared names the attribute of self that a block changes, "" if none.
func writesShared(block syntax.Node) string {
	for n := range block.Find("assignment", "augmented_assignment", "call", "delete_statement") {
		var target syntax.Node
		switch n.Kind() {
		case "call":
			if changers.MatchString(method(n)) {
				target = object(n)
			}
		case "delete_statement":
			target = n.NamedChild(0)
		default:
			target = n.ChildByField("left")
		}
		for target.Kind() == "subscript" {
			target = target.ChildByField("value")
		}
		if target.Kind() == "attribute" && target.ChildByField("object").Text() == "self" {
			return target.Text()
		}
	}
	return ""
}

package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`(?i)(^|[._])\w*(lock|mutex|guard)$`)

// LockDropped takes the lock away from around a change.
func (*operators) LockDropped(s *source) {
	for _, w := range s.withs() {
		changed := writesShared(body(w.node))
		if !lockName.MatchString(w.item.Text()) || !named(w.item) || changed == "" || !inSteps(w.stmts, changed) || !s.alone(w.node) {
			continue
		}
		s.reportMoved(w.node, w.stmts, "", w.indent, "",
			"%s changes %s without holding %s: two threads at once lose an update or see a half-made one.", where(w.node), changed, w.item.Text())
	}
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

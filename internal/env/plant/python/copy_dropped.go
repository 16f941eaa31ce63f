package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CopyDropped hands out the list itself although a caller in another file changes what it gets.
func (*operators) CopyDropped(s *source) {
	for _, r := range s.nodes("return_statement") {
		fn := r.Enclosing("function_definition")
		kept := copied(r.NamedChild(0))
		if !kept.Valid() || !fn.Valid() {
			continue
		}
		for _, c := range s.callers(fn) {
			change := changesResult(c.node)
			if !change.Valid() {
				continue
			}
			s.Report(s.Replace(r.NamedChild(0), kept.Text()),
				"%s returns %s itself, not a copy: %s changes it with `%s`, and what is kept changes with it.", qualified(fn), kept.Text(), c,
				short(change))
			break
		}
	}
}

// copied is the attribute of self that an expression copies.
func copied(n syntax.Node) syntax.Node {
	if n.Kind() != "call" {
		return syntax.Node{}
	}
	kept := syntax.Node{}
	if a := args(n); len(a) == 1 && slices.Contains([]string{"list", "dict", "set", "copy.copy", "copy.deepcopy", "deepcopy"}, callee(n)) {
		kept = a[0]
	} else if len(a) == 0 && method(n) == "copy" {
		kept = object(n)
	}
	if kept.Kind() == "attribute" && kept.ChildByField("object").Text() == "self" {
		return kept
	}
	return syntax.Node{}
}

// changesResult is the statement that changes what a call returned.
func changesResult(c syntax.Node) syntax.Node {
	up := c.Parent()
	fn := c.Enclosing("function_definition")
	if up.Kind() != "assignment" || up.ChildByField("left").Kind() != "identifier" || !fn.Valid() {
		return syntax.Node{}
	}
	name := up.ChildByField("left").Text()
	for n := range fn.Find("call", "delete_statement", "assignment", "augmented_assignment") {
		if n.Start() < up.End() {
			continue
		}
		target := n.ChildByField("left")
		switch n.Kind() {
		case "call":
			if (changers.MatchString(method(n)) || method(n) == "sort" || method(n) == "reverse") && object(n).Text() == name {
				return n
			}
			continue
		case "delete_statement":
			target = n.NamedChild(0)
		case "assignment":
			if target.Text() == name {
				return syntax.Node{}
			}
		}
		if target.Kind() == "subscript" && target.ChildByField("value").Text() == name {
			return n
		}
	}
	return syntax.Node{}
}

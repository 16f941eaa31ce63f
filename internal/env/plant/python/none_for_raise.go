package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// NoneForRaise makes a look-up return None where its callers in other files rely on an exception.
func (*operators) NoneForRaise(s *source) {
	for _, n := range s.nodes("if_statement") {
		raised, ok := guard(n)
		fn := n.Enclosing("function_definition")
		if !ok || !asksForNone(n.ChildByField("condition")) || !looksUp(fn, n) || !fn.Valid() || fn.ChildByField("name").Text() == "__init__" ||
			!returnsValue(fn) {
			continue
		}
		for _, c := range s.callers(fn) {
			use := dereferenced(c.node)
			if !use.Valid() {
				continue
			}
			s.Report(s.Replace(raised, "return None"),
				"%s returns None for something missing; %s relies on an exception and uses %s at once.", qualified(fn), c, short(use))
			break
		}
	}
}

// asksForNone tells whether a condition holds for nothing there: x is None, not x.
func asksForNone(cond syntax.Node) bool {
	switch cond.Kind() {
	case "not_operator":
		arg := cond.ChildByField("argument")
		return arg.Kind() == "identifier" || arg.Kind() == "parenthesized_expression" && arg.NamedChild(0).Kind() == "named_expression"
	case "comparison_operator":
		return cond.NumNamed() == 2 && cond.NamedChild(0).Kind() == "identifier" && cond.NamedChild(1).Kind() == "none" &&
			cond.NamedChild(0).NextSibling().Kind() == "is"
	}
	return false
}

func returnsValue(fn syntax.Node) bool {
	return syntax.Any(fn.Find("return_statement"), func(r syntax.Node) bool {
		return r.NumNamed() > 0 && r.NamedChild(0).Kind() != "none" && r.Enclosing("function_definition") == fn
	})
}

// dereferenced is an expression that looks into the result of a call without having asked whether there is one.
func dereferenced(c syntax.Node) syntax.Node {
	up := c.Parent()
	if up.Kind() == "attribute" || up.Kind() == "subscript" && up.ChildByField("value") == c {
		return up
	}
	if up.Kind() != "assignment" || up.ChildByField("right") != c || up.ChildByField("left").Kind() != "identifier" {
		return syntax.Node{}
	}
	name := up.ChildByField("left").Text()
	fn := c.Enclosing("function_definition")
	if !fn.Valid() {
		return syntax.Node{}
	}
	for n := range fn.Find("attribute", "subscript", "comparison_operator", "not_operator", "if_statement", "assignment") {
		if n.Start() < up.End() {
			continue
		}
		switch n.Kind() {
		case "attribute":
			if n.ChildByField("object").Text() == name {
				return n
			}
		case "subscript":
			if n.ChildByField("value").Text() == name {
				return n
			}
		case "assignment":
			if n.ChildByField("left").Text() == name {
				return syntax.Node{}
			}
		case "if_statement":
			if n.ChildByField("condition").Text() == name {
				return syntax.Node{}
			}
		default:
			if n.NamedChild(0).Text() == name {
				return syntax.Node{}
			}
		}
	}
	return syntax.Node{}
}

// looksUp says whether a guard asks about something that its function has looked up before, rather than about what it
// was given.
func looksUp(fn, guard syntax.Node) bool {
	for n := range fn.Find("assignment", "named_expression") {
		name := n.ChildByField("left")
		if !name.Valid() {
			name = n.ChildByField("name")
		}
		for id := range guard.ChildByField("condition").Find("identifier") {
			if n.Start() < guard.End() && id.Text() == name.Text() {
				return true
			}
		}
	}
	return false
}

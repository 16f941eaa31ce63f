package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// SortOrder turns the order of a sorted result round while a caller takes its front.
func (*operators) SortOrder(s *source) {
	for _, c := range s.nodes("call") {
		fn := c.Enclosing("function_definition")
		rev := keyword(c, "reverse")
		if callee(c) != "sorted" || rev.Text() != "True" || c.Parent().Kind() != "return_statement" || !fn.Valid() {
			continue
		}
		arg := rev.Parent()
		prev := arg.PrevSibling()
		if prev.Kind() != "," {
			continue
		}
		for _, use := range s.callers(fn) {
			front := takesFront(use.node)
			if !front.Valid() {
				continue
			}
			s.Report(s.Replace(c, s.Text[c.Start():prev.Start()]+s.Text[arg.End():c.End()]),
				"%s sorts upwards although %s takes %s for the greatest: it gets the wrong end of the list.", qualified(fn), use, short(front))
			break
		}
	}
}

// takesFront is the expression that takes the first elements of a call's result.
func takesFront(c syntax.Node) syntax.Node {
	front := func(sub syntax.Node) bool {
		at := sub.ChildByField("subscript")
		return at.Text() == "0" || at.Kind() == "slice" && len(at.Text()) > 1 && at.Text()[0] == ':' && at.NumNamed() == 1 && at.Text()[1] != '-'
	}
	up := c.Parent()
	if up.Kind() == "subscript" && up.ChildByField("value") == c && front(up) {
		return up
	}
	if up.Kind() != "assignment" || up.ChildByField("left").Kind() != "identifier" {
		return syntax.Node{}
	}
	fn := c.Enclosing("function_definition")
	return syntax.First(fn.Find("subscript"), func(sub syntax.Node) bool {
		return sub.Start() > up.End() && sub.ChildByField("value").Text() == up.ChildByField("left").Text() && front(sub)
	})
}

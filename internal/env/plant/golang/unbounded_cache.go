package golang

import "github.com/deeprepo/deeprepo/internal/syntax"

// UnboundedCache takes out what makes room in a map before something more goes in.
func (*operators) UnboundedCache(s *source) {
	for _, test := range s.kinds["if_statement"] {
		m := fullMap(test.ChildByField("condition"))
		if m == "" || test.ChildByField("alternative").Valid() || test.ChildByField("consequence").Has("return_statement") ||
			!grows(test, m) || boundedAgain(test, m) {
			continue
		}
		if e, ok := s.drop(test, test); ok {
			s.reportWhole(e,
				"%s adds to %s without ever making room, so the map grows with every new key until memory runs out.", nameOf(function(test)), m)
		}
	}
}

// fullMap is m of a condition len(m) >= limit, in any of its forms and also as a part of an and, "" for others.
func fullMap(c syntax.Node) string {
	size := c.ChildByField("left")
	switch c.Operator() {
	case "&&":
		if m := fullMap(size); m != "" {
			return m
		}
		return fullMap(c.ChildByField("right"))
	case "<", "<=":
		size = c.ChildByField("right")
	case ">", ">=":
	default:
		return ""
	}
	if args := arguments(size); size.ChildByField("function").Text() == "len" && len(args) == 1 {
		return args[0].Text()
	}
	return ""
}

// boundedAgain says whether another test of the function asks for the size of the map as well.
func boundedAgain(test syntax.Node, m string) bool {
	return syntax.Any(function(test).ChildByField("body").Find("if_statement"), func(other syntax.Node) bool {
		return other != test && fullMap(other.ChildByField("condition")) == m
	})
}

// grows says whether m[...] = ... stands after an if statement in its block, and something is deleted or called in it.
func grows(test syntax.Node, m string) bool {
	for n := test.NextElement(); n.Valid(); n = n.NextElement() {
		left := n.ChildByField("left").Elements()
		if n.Kind() == "assignment_statement" && len(left) == 1 && left[0].Kind() == "index_expression" &&
			left[0].ChildByField("operand").Text() == m {
			return test.ChildByField("consequence").Has("call_expression")
		}
	}
	return false
}

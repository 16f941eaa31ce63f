package golang

import (
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// guard is an if statement that does nothing but leave the function.
type guard struct {
	test      syntax.Node
	condition syntax.Node
	leave     syntax.Node // the return statement
}

// guards lists the if statements without an initializer and without an else whose body is one return.
func (s *source) guards() []guard {
	var out []guard
	for _, n := range s.kinds["if_statement"] {
		if n.ChildByField("initializer").Valid() || n.ChildByField("alternative").Valid() || n.Parent().Kind() == "if_statement" {
			continue
		}
		if body := n.ChildByField("consequence").Statements(); len(body) == 1 && body[0].Kind() == "return_statement" {
			out = append(out, guard{n, n.ChildByField("condition"), body[0]})
		}
	}
	return out
}

// reportWithout reports that a guard is taken out of its function.
func (s *source) reportWithout(g guard, format string, args ...any) {
	if e, ok := s.drop(g.test, g.test); ok {
		s.reportTidy(e, format, args...)
	}
}

// fails says whether the guard leaves with an error, in the last of the function's results.
func (g guard) fails() bool {
	r := gotree.Results(function(g.test))
	values := g.leave.NamedChild(0).Elements()
	return len(r) > 0 && r[len(r)-1] == "error" && len(values) == len(r) && values[len(values)-1].Text() != "nil"
}

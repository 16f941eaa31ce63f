package golang

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
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

// without takes a guard out of its function.
func (s *source) without(g guard) ([]plant.Edit, bool) {
	e, ok := s.drop(g.test, g.test)
	if !ok {
		return nil, false
	}
	return s.tidy(e)
}

// fails says whether the guard leaves with an error, in the last of the function's results.
func (g guard) fails() bool {
	r := gotree.Results(function(g.test))
	values := g.leave.NamedChild(0).Elements()
	return len(r) > 0 && r[len(r)-1] == "error" && len(values) == len(r) && values[len(values)-1].Text() != "nil"
}

// calls lists the call expressions in n, n itself included.
func calls(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	n.Walk(func(c syntax.Node) bool {
		if c.Kind() == "call_expression" {
			out = append(out, c)
		}
		return true
	})
	return out
}

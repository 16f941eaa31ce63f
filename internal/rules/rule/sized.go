package rule

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// longestScope bounds a function that is read for one place in it.
const longestScope = 30_000

// RequestNumber tells whether n is a number that a request brought, read by one of the calls, and that nothing around it compares.
func (p *Pass) RequestNumber(n syntax.Node, readers ...string) bool {
	scope := p.Scope(n)
	value := p.Only(scope, n)
	if scope.End()-scope.Start() > longestScope || !p.IsCall(value) || !OneOf(p.Callee(value), readers...) ||
		!Within(value.ChildByField("arguments"), p.UserInput) {
		return false
	}
	if value == n {
		return true
	}
	return !strings.Contains(scope.Text(), "min(") && !Any(scope.Find("comparison_operator", "binary_expression", "call", "call_expression"),
		func(c syntax.Node) bool {
			switch {
			case p.IsCall(c): // a function that may look at it
				return c != value && Within(c.ChildByField("arguments"), func(a syntax.Node) bool { return a.Text() == n.Text() }) &&
					!Inside(n, c)
			case c.Is("comparison_operator"):
				return c.Mentions(n.Text())
			}
			return OneOf(c.Operator(), "<", "<=", ">", ">=") && c.Mentions(n.Text())
		})
}

package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Calls gives every call in the file in source order, object creations not among them. The slice is shared and must not be
// changed, like those of CallsTo, MethodCalls, News and Functions.
func (p *Pass) Calls() []syntax.Node { return p.sorted(p.grammar.calls) }

// CallsTo gives the calls whose Callee is one of the names.
func (p *Pass) CallsTo(callees ...string) []syntax.Node {
	return p.called("callee", p.Callee, callees)
}

// MethodCalls gives the calls whose Method is one of the names.
func (p *Pass) MethodCalls(methods ...string) []syntax.Node {
	return p.called("method", p.Method, methods)
}

// called gives the calls that have one of the names, by an index of the file that is made once.
func (p *Pass) called(by string, name func(syntax.Node) string, names []string) []syntax.Node {
	index := Memo(p, "rule.called."+by, func() map[string][]syntax.Node {
		index := map[string][]syntax.Node{}
		for _, c := range p.Calls() {
			index[name(c)] = append(index[name(c)], c)
		}
		return index
	})
	if len(names) == 1 {
		return slices.Clip(index[names[0]])
	}
	var all []syntax.Node
	for i, n := range names {
		if !slices.Contains(names[:i], n) {
			all = append(all, index[n]...)
		}
	}
	slices.SortStableFunc(all, inOrder)
	return all
}

// inOrder puts what begins first before the rest, and the outer before the inner.
func inOrder(a, b syntax.Node) int { return cmp.Or(a.Start()-b.Start(), b.End()-a.End()) }

// Operations gives the operations on two operands whose operator is one of the operators.
func (p *Pass) Operations(operators ...string) []syntax.Node {
	return Where(p.Nodes("binary_expression", "binary"), func(n syntax.Node) bool { return slices.Contains(operators, n.Operator()) })
}

// News gives every object creation in the file in source order.
func (p *Pass) News() []syntax.Node { return p.sorted(p.grammar.news) }

// Functions gives every function, method, lambda or closure in the file in source order.
func (p *Pass) Functions() []syntax.Node { return p.sorted(p.grammar.functions) }

func (p *Pass) sorted(kinds []string) []syntax.Node {
	return Memo(p, "rule.sorted."+strings.Join(kinds, " "), func() []syntax.Node {
		nodes := slices.Clone(p.Nodes(kinds...))
		slices.SortStableFunc(nodes, inOrder)
		return slices.Clip(nodes)
	})
}

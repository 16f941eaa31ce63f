package rule

import "github.com/deeprepo/deeprepo/internal/syntax"

// Comparison is a test whether two values are equal, or unequal.
type Comparison struct{ Node, Left, Right syntax.Node }

// Comparisons gives every test for equality in the file: by an operator, by equals, by strcmp.
func (p *Pass) Comparisons() []Comparison {
	return Memo(p, "rule.comparisons", func() []Comparison {
		var all []Comparison
		for _, n := range p.Operations("==", "===", "!=", "!==") {
			all = append(all, Comparison{n, n.ChildByField("left"), n.ChildByField("right")})
		}
		for _, n := range p.Nodes("comparison_operator") {
			if n.NumNamed() == 2 && OneOf(n.ChildByField("operators").Text(), "==", "!=") {
				all = append(all, Comparison{n, n.NamedChild(0), n.NamedChild(1)})
			}
		}
		for _, call := range p.MethodCalls("equals", "equalsIgnoreCase", "contentEquals") {
			if r := p.receiver(call); r.Valid() && len(p.Args(call)) == 1 {
				all = append(all, Comparison{call, r, p.Arg(call, 0)})
			}
		}
		for _, call := range p.CallsTo("strcmp", "Objects.equals", "StringUtils.equals") {
			if len(p.Args(call)) == 2 {
				all = append(all, Comparison{call, p.Arg(call, 0), p.Arg(call, 1)})
			}
		}
		return all
	})
}

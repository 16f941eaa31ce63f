package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// ConstantComparison looks for operators with the same operand on both sides, and
// for conditions no value can meet.
func (*checks) ConstantComparison(p *rule.Pass) {
	for _, n := range p.Nodes("binary_expression") {
		l, r := rule.Bare(n.ChildByField("left")), rule.Bare(n.ChildByField("right"))
		switch op := n.Operator(); op {
		case "==", "<", ">", "<=", ">=":
			// A field of a float type may hold NaN, but code that asks so writes f != f.
			if l.Text() == r.Text() && stable(l) && !p.Constant(l) && l.Kind() != "identifier" {
				p.Report(n, "")
			}
		case "||", "&&":
			want := map[string]string{"||": "!=", "&&": "=="}[op]
			if impossible(p, l, r, want) {
				p.Report(n, "")
			}
		}
	}
}

// stable tells whether n gives the same value when read twice: names and
// fields, no calls, receives or conversions.
func stable(n rule.Node) bool {
	return !rule.Within(n, func(c rule.Node) bool {
		return c.Named() && !c.Is("identifier", "field_identifier", "selector_expression", "index_expression", "int_literal",
			"interpreted_string_literal", "interpreted_string_literal_content", "parenthesized_expression")
	})
}

// impossible matches x != A || x != B, and x == A && x == B, for two different
// literals.
func impossible(p *rule.Pass, l, r rule.Node, op string) bool {
	if l.Kind() != "binary_expression" || r.Kind() != "binary_expression" || l.Operator() != op || r.Operator() != op {
		return false
	}
	x, y := l.ChildByField("left"), r.ChildByField("left")
	a, b := l.ChildByField("right"), r.ChildByField("right")
	literal := func(n rule.Node) bool {
		return n.Is("int_literal", "interpreted_string_literal", "rune_literal")
	}
	return x.Text() == y.Text() && stable(x) && literal(a) && literal(b) && a.Kind() == b.Kind() && a.Text() != b.Text()
}

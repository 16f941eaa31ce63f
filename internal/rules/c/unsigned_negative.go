package c

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsignedNegative(p *rule.Pass) {
	p.ReportWhere(p.Nodes("binary_expression"), func(n rule.Node) bool {
		left, right, op := rule.Bare(n.ChildByField("left")), rule.Bare(n.ChildByField("right")), n.Operator()
		if left.Text() == "0" {
			left, right = right, left
			op = map[string]string{">": "<", "<=": ">="}[op]
		}
		if right.Text() != "0" || op != "<" && op != ">=" || left.Kind() != "identifier" || castSigned(n) || ranged(n, left.Text()) {
			return false
		}
		v, ok := variables(p, p.Function(n))[left.Text()]
		return ok && v.pointers == 0 && !v.array && unsignedNegativeUnsigned.MatchString(v.typ) && !unsignedNegativeSigned.MatchString(v.typ)
	})
}

var (
	unsignedNegativeUnsigned = regexp.MustCompile(`^(unsigned\b.*|size_t|u?int(8|16|32|64)_t|u?int_?(fast|least)\d+_t|` +
		`uintptr_t|uintmax_t|uint|ulong|u_?int\d*(_t)?)$`)
	unsignedNegativeSigned = regexp.MustCompile(`^int`)
)

// castSigned tells whether an operand is cast, which makes the test one of another type.
func castSigned(n rule.Node) bool {
	return rule.Any(n.NamedChildren(), func(c rule.Node) bool {
		for c.Is("parenthesized_expression") && c.NumNamed() == 1 {
			c = c.NamedChild(0)
		}
		return c.Is("cast_expression")
	})
}

// ranged tells whether the test is one half of a range check (x < 0 || x > limit), whose other half catches the
// values that wrapped around.
func ranged(n rule.Node, name string) bool {
	up := n.Parent()
	for up.Kind() == "parenthesized_expression" {
		up = up.Parent()
	}
	return up.Is("binary_expression") && rule.Any(up.Find("binary_expression"), func(c rule.Node) bool {
		left, right := c.ChildByField("left").Text(), c.ChildByField("right").Text()
		return c != n && rule.OneOf(c.Operator(), ">", ">=", "<", "<=") && right != "0" && (left == name || right == name)
	})
}

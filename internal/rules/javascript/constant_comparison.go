package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var typeofWords = []string{"undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"}

// ConstantComparison looks for comparisons whose result never changes.
func (*checks) ConstantComparison(p *rule.Pass) {
	for _, n := range p.Nodes("binary_expression") {
		l, r, op := unwrap(n.ChildByField("left")), unwrap(n.ChildByField("right")), n.Operator()
		switch op {
		case "==", "===", "!=", "!==", "<", ">", "<=", ">=":
			equality := op[0] == '=' || op[0] == '!'
			switch {
			case nan(l) || nan(r):
				p.Report(n, "no value compares with NaN")
			case equality && (wrongTypeof(p, l, r) || wrongTypeof(p, r, l)):
				p.Report(n, "typeof never gives this word")
			case equality && (l.Is("object", "array") || r.Is("object", "array")):
				p.Report(n, "a fresh object is equal to no other")
			case !equality && l.Text() == r.Text() && stable(l), equality && op[0] == '=' && l.Text() == r.Text() && stable(l) &&
				l.Kind() == "member_expression":
				p.Report(n, "both sides are the same")
			}
		case "||", "&&":
			if contradicts(l, r, op) {
				p.Report(n, "")
			}
		}
	}
}

func nan(n rule.Node) bool {
	return n.Kind() == "identifier" && n.Text() == "NaN" || n.Text() == "Number.NaN"
}

func wrongTypeof(p *rule.Pass, l, r rule.Node) bool {
	if l.Kind() != "unary_expression" || l.Operator() != "typeof" || r.Kind() != "string" {
		return false
	}
	s, _, _ := p.String(r)
	return !slices.Contains(typeofWords, s) && s != "unknown" // old Internet Explorer
}

// stable tells whether n gives the same value when read twice: plain names and
// members.
func stable(n rule.Node) bool {
	switch n.Kind() {
	case "identifier", "this":
		return true
	case "member_expression":
		return stable(unwrap(n.ChildByField("object")))
	}
	return false
}

// contradicts matches x !== A || x !== B and x === A && x === B for different
// literals of one kind.
func contradicts(l, r rule.Node, op string) bool {
	if l.Kind() != "binary_expression" || r.Kind() != "binary_expression" || l.Operator() != r.Operator() {
		return false
	}
	if c := l.Operator(); op == "||" && c != "!=" && c != "!==" || op == "&&" && c != "==" && c != "===" {
		return false
	}
	a, b := l.ChildByField("right"), r.ChildByField("right")
	literals := a.Kind() == "string" && b.Kind() == "string" || a.Kind() == "number" && b.Kind() == "number"
	x := l.ChildByField("left")
	return literals && a.Text() != b.Text() && stable(x) && x.Text() == r.ChildByField("left").Text()
}

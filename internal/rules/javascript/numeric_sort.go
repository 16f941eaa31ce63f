package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// NumericSort looks for sort() without a comparator on arrays that surely hold
// numbers.
func (*checks) NumericSort(p *rule.Pass) {
	p.ReportWhere(methodCalls(p, "sort", "toSorted"), func(call rule.Node) bool {
		o, _ := method(call)
		return len(p.Args(call)) == 0 && numbers(p, unwrap(o))
	})
}

// numbers tells whether n is surely an array of numbers for which the order of
// text differs: literals of one digit sort right.
func numbers(p *rule.Pass, n rule.Node) bool {
	switch n.Kind() {
	case "array":
		long := false
		for c := range n.NamedChildren() {
			if c.Kind() != "number" && !(c.Kind() == "unary_expression" && c.ChildByField("argument").Kind() == "number") {
				return false
			}
			long = long || len(c.Text()) > 1
		}
		return long
	case "identifier":
		if t := strings.ReplaceAll(annotated(p, n), " ", ""); t != "" {
			return t == "number[]" || t == "Array<number>"
		}
		vs := values(p, p.Scope(n), n.Text())
		return len(vs) == 1 && vs[0].Kind() == "array" && numbers(p, vs[0]) && !p.Scope(n).Has("spread_element")
	case "call_expression":
		o, name := method(n)
		if name == "filter" || name == "slice" {
			return numbers(p, unwrap(o))
		}
		if name != "map" {
			return false
		}
		fn := p.Arg(n, 0)
		if t := fn.Text(); t == "Number" || t == "parseFloat" {
			return true
		}
		body := unwrap(fn.ChildByField("body"))
		if body.Kind() != "call_expression" || fn.Kind() != "arrow_function" {
			return false
		}
		return rule.OneOf(body.ChildByField("function").Text(), "Number", "parseInt", "parseFloat", "Math.round", "Math.floor", "Math.abs")
	}
	return false
}

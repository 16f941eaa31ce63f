package golang

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// value is one value a name is given.
type value struct {
	stmt  rule.Node // the declaration or assignment
	expr  rule.Node // for a, b := f() both names get the call
	index int       // position of the name on the left
	names int       // how many names stand on the left
}

// values gives what the variable called name is given inside n, in source
// order. Range clauses and parameters are not among them.
func values(n rule.Node, name string) []value {
	var out []value
	for d := range n.Find("short_var_declaration", "assignment_statement", "var_spec") {
		left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
		if d.Kind() == "var_spec" {
			left, right = specNames(d), list(d.ChildByField("value"))
		}
		for i, l := range left {
			if l.Kind() != "identifier" || l.Text() != name {
				continue
			}
			v := value{stmt: d, index: i, names: len(left)}
			switch {
			case len(right) == len(left):
				v.expr = right[i]
			case len(right) > 0:
				v.expr = right[0]
			}
			out = append(out, v)
		}
	}
	return out
}

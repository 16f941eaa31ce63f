package csharp

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SelfAssignment(p *rule.Pass) {
	for _, a := range p.Nodes("assignment_expression") {
		left := a.ChildByField("left")
		if a.Parent().Is("expression_statement") && a.Operator() == "=" && left.Text() == a.ChildByField("right").Text() &&
			(left.Is("identifier") || left.Is("member_access_expression") && left.ChildByField("expression").Text() == "this") &&
			!property(p, left) {
			p.Report(a, left.Text())
		}
	}
}

// property tells whether the file has a property of the name, whose assignment may do something.
func property(p *rule.Pass, n rule.Node) bool {
	return rule.Any(p.Class(n).Find("property_declaration"), func(d rule.Node) bool {
		return d.ChildByField("name").Text() == rule.LastName(n.Text())
	})
}

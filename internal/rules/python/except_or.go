package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ExceptOr(p *rule.Pass) {
	for _, n := range p.Nodes("except_clause") {
		caught, _ := exceptParts(n)
		for caught.Kind() == "parenthesized_expression" {
			caught = caught.NamedChild(0)
		}
		if caught.Kind() == "boolean_operator" {
			p.Report(caught, "")
		}
	}
}

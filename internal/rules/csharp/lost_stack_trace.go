package csharp

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LostStackTrace(p *rule.Pass) {
	for _, t := range p.Nodes("throw_statement") {
		c := t.Enclosing("catch_clause", "lambda_expression")
		name := rule.First(c.Find("catch_declaration"), rule.Node.Valid).ChildByField("name").Text()
		changed := rule.Any(c.Find("assignment_expression"), func(a rule.Node) bool { return a.ChildByField("left").Text() == name })
		if c.Is("catch_clause") && name != "" && t.NumNamed() == 1 && t.NamedChild(0).Text() == name && !changed {
			p.Report(t, "")
		}
	}
}

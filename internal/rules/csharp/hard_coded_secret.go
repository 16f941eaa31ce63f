package csharp

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	for _, d := range p.Nodes("variable_declarator", "assignment_expression", "property_declaration") {
		name := rule.Either(d.ChildByField("name"), d.ChildByField("left"))
		v := rule.Either(d.ChildByField("right"), d.ChildByField("value"))
		if d.Is("variable_declarator") && d.NumNamed() > 1 {
			v = d.NamedChild(d.NumNamed() - 1)
		}
		if text, holes, ok := p.String(v); ok && !holes && rule.Secret(rule.LastName(name.Text()), text) {
			p.Report(v, "value of "+rule.LastName(name.Text()))
		}
	}
	for _, s := range p.Nodes("string_literal") {
		text, _, _ := p.String(s)
		if kind := rule.SecretToken(text); kind != "" {
			p.Report(s, kind)
		}
	}
}

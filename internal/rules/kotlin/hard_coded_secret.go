package kotlin

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	for _, d := range p.Nodes("property_declaration", "assignment") {
		name := d.ChildByField("left").Text()
		v := d.ChildByField("right")
		if d.Is("property_declaration") {
			name = rule.First(d.Find("variable_declaration"), rule.Node.Valid).NamedChild(0).Text()
			v = d.NamedChild(d.NumNamed() - 1)
		}
		if text, holes, ok := p.String(v); ok && !holes && rule.Secret(rule.LastName(name), text) {
			p.Report(v, "value of "+rule.LastName(name))
		}
	}
	for _, s := range p.Nodes("string_literal") {
		text, _, _ := p.String(s)
		if kind := rule.SecretToken(text); kind != "" {
			p.Report(s, kind)
		}
	}
}

package c

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	secret := func(name string, at rule.Node, value string) {
		if rule.Secret(name, value) {
			p.Report(at, "value of "+name)
		} else if kind := rule.SecretToken(value); kind != "" {
			p.Report(at, kind)
		}
	}
	for _, d := range p.Nodes("declaration") {
		for _, v := range declared(d) {
			if s, _, ok := p.String(v.value); ok {
				secret(v.name, v.value, s)
			}
		}
	}
	for _, a := range p.Nodes("assignment_expression") {
		left := a.ChildByField("left")
		if f := left.ChildByField("field"); f.Valid() {
			left = f
		}
		if s, _, ok := p.String(a.ChildByField("right")); ok {
			secret(left.Text(), a, s)
		}
	}
	for _, d := range p.Nodes("preproc_def") {
		value := strings.TrimSpace(d.ChildByField("value").Text())
		if len(value) > 2 && value[0] == '"' && strings.IndexByte(value[1:], '"') == len(value)-2 {
			secret(d.ChildByField("name").Text(), d, value[1:len(value)-1])
		}
	}
}

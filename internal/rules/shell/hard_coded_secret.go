package shell

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	for _, a := range p.Nodes("variable_assignment") {
		v := a.ChildByField("value")
		if !v.Is("string") && !v.Is("raw_string") && !v.Is("word") || strings.ContainsAny(v.Text(), "$`") {
			continue
		}
		name := a.ChildByField("name").Text()
		if kind := rule.SecretToken(bare(v)); kind != "" {
			p.Report(v, kind)
		} else if rule.Secret(name, bare(v)) {
			p.Report(v, "value of "+name)
		}
	}
}

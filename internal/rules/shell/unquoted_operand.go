package shell

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnquotedOperand(p *rule.Pass) {
	for _, t := range p.Nodes("test_command") {
		if !strings.HasPrefix(t.Text(), "[ ") || t.NumNamed() != 1 {
			continue
		}
		u := t.NamedChild(0)
		if !u.Is("unary_expression") || u.ChildByField("operator").Text() != "-n" {
			continue
		}
		v := u.NamedChild(u.NumNamed() - 1)
		if v.Is("simple_expansion") && v.NamedChild(0).Is("variable_name") || v.Is("expansion") && v.NumNamed() == 1 &&
			v.NamedChild(0).Is("variable_name") {
			if !strings.Contains(v.Text(), "#") {
				p.Report(t, "")
			}
		}
	}
}

package cpp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ThrowNew(p *rule.Pass) {
	if strings.Contains(strings.Join(p.Lines(), "\n"), "CException") {
		return
	}
	for _, t := range p.Nodes("throw_statement") {
		if t.NumNamed() == 1 && t.NamedChild(0).Is("new_expression") {
			p.Report(t, "")
		}
	}
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TemplateInjection(p *rule.Pass) {
	flow := markupFlow(p)
	p.ReportWhere(p.MethodCalls("render_template_string"), func(call rule.Node) bool {
		at := p.Arg(call, 0)
		return flow.Tainted(at) && !strings.Contains(at.Text(), "escape(")
	})
}

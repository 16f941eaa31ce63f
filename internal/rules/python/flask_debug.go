package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FlaskDebug(p *rule.Pass) {
	if !imported(p, "flask", "quart", "bottle") {
		return
	}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		name := p.Callee(call)
		return (strings.HasSuffix(name, ".run") || name == "run") && p.Keyword(call, "debug").Text() == "True" &&
			!strings.HasPrefix(name, "subprocess") && !strings.HasPrefix(name, "asyncio")
	})
}

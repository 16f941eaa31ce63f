package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FlaskDebug(p *rule.Pass) {
	if !imported(p, "flask", "quart", "bottle") {
		return
	}
	for _, call := range p.Calls() {
		if name := p.Callee(call); (strings.HasSuffix(name, ".run") || name == "run") && p.Keyword(call, "debug").Text() == "True" &&
			!strings.HasPrefix(name, "subprocess") && !strings.HasPrefix(name, "asyncio") {
			p.Report(call, "")
		}
	}
}

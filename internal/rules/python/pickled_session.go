package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PickledSession(p *rule.Pass) {
	for _, s := range settings(p) {
		if v, _, _ := p.String(s.value); s.name == "SESSION_SERIALIZER" && strings.HasSuffix(v, "PickleSerializer") {
			p.Report(s.node, "")
		}
	}
}

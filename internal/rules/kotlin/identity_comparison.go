package kotlin

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) IdentityComparison(p *rule.Pass) {
	for _, o := range p.Operations("===", "!==") {
		if p.IsString(o.ChildByField("left")) || p.IsString(o.ChildByField("right")) {
			p.Report(o, "")
		}
	}
}

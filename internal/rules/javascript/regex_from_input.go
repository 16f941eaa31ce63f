package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// RegexFromInput looks for patterns the client writes.
func (*checks) RegexFromInput(p *rule.Pass) {
	p.ReportWhere(slices.Concat(p.News(), p.Calls()), func(n rule.Node) bool {
		return p.Callee(n) == "RegExp" && requestFlow(p).Tainted(p.Arg(n, 0))
	})
}

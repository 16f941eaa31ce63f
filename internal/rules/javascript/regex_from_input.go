package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// RegexFromInput looks for patterns the client writes.
func (*checks) RegexFromInput(p *rule.Pass) {
	for _, n := range slices.Concat(p.News(), p.Calls()) {
		if p.Callee(n) == "RegExp" && requestFlow(p).Tainted(p.Arg(n, 0)) {
			p.Report(n, "")
		}
	}
}

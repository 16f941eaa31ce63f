package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TimingComparison(p *rule.Pass) {
	p.ReportWhere(p.Operations("==", "!="), func(n rule.Node) bool {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if !timingComparisonSecret.MatchString(left.Text()) {
			left, right = right, left
		}
		return timingComparisonSecret.MatchString(left.Text()) && !timingComparisonSecret.MatchString(right.Text()) &&
			!p.Constant(right) && !strings.HasPrefix(right.Text(), "params") && web(p)
	})
}

var timingComparisonSecret = regexp.MustCompile(`(?i)^(params|request\.headers|headers|cookies)\[[:"'].*(token|signature|` +
	`hmac|secret|api[_-]?key|digest|password).*\]$`)

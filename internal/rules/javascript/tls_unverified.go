package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// TLSUnverified looks for certificate checks that are literally switched off.
func (*checks) TLSUnverified(p *rule.Pass) {
	for _, n := range p.Nodes("pair") {
		key := strings.Trim(n.ChildByField("key").Text(), `"'`)
		if (key == "rejectUnauthorized" || key == "strictSSL") && n.ChildByField("value").Text() == "false" &&
			!n.Enclosing("if_statement", "ternary_expression", "switch_case").Valid() {
			if o := n.Parent(); !property(p, o, "requestCert").Valid() && !property(p, o, "checkServerIdentity").Valid() {
				p.Report(n, "")
			}
		}
	}
	p.ReportWhere(p.Nodes("assignment_expression"), func(n rule.Node) bool {
		left, right := n.ChildByField("left"), strings.Trim(n.ChildByField("right").Text(), `"'`)
		return strings.Contains(left.Text(), "NODE_TLS_REJECT_UNAUTHORIZED") && right == "0" && !n.Enclosing("if_statement").Valid()
	})
}

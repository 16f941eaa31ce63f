package rust

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var lockTaken = regexp.MustCompile(`\.(lock|write|read)\(\)\s*(\.unwrap\(\)|\.expect\("[^"]*"\)|\.await)$`)

func (*checks) LockDropped(p *rule.Pass) {
	for _, let := range p.Nodes("let_declaration") {
		if let.ChildByField("pattern").Text() == "_" && lockTaken.MatchString(let.ChildByField("value").Text()) {
			next := let.NextSibling()
			if next.Valid() && next.Named() {
				p.Report(let, "")
			}
		}
	}
}

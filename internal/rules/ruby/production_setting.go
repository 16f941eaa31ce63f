package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// ProductionSetting looks for protections that Rails is told to leave out in production.
func (*checks) ProductionSetting(p *rule.Pass) {
	if !strings.HasSuffix(p.Path, "config/environments/production.rb") {
		return
	}
	for _, a := range p.Assignments(p.Tree.Root()) {
		target, value := a.Target.Text(), a.Value.Text()
		if a.Node.Enclosing("if", "unless", "if_modifier", "unless_modifier").Valid() {
			continue
		}
		if target == "config.consider_all_requests_local" && value == "true" {
			p.Report(a.Node, "")
		}
	}
}

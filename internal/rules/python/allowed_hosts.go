package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AllowedHosts(p *rule.Pass) {
	for _, s := range settings(p) {
		if s.name == "ALLOWED_HOSTS" && s.value.Is("list", "tuple") && anyOrigin(p, s.value) {
			p.Report(s.node, "")
		}
	}
}

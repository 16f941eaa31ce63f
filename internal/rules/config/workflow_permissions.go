package config

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) WorkflowPermissions(p *rule.Pass) {
	for _, w := range workflows(p) {
		all := []entry{{value: w.root}}
		for _, e := range append(all, entries(get(w.root, "jobs"))...) {
			if n := get(e.value, "permissions"); scalar(n) == "write-all" {
				p.ReportLine(n.Line, "")
			}
		}
	}
}

package config

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) WorkflowPermissions(p *rule.Pass) {
	for _, w := range workflows(p) {
		all := []entry{{value: w.root}}
		for _, e := range append(all, entries(get(w.root, "jobs"))...) {
			// A job that is another workflow says there what each of its jobs may do; here stands the most that it can be.
			if n := get(e.value, "permissions"); scalar(n) == "write-all" && get(e.value, "uses") == nil {
				p.ReportLine(n.Line, "")
			}
		}
	}
}

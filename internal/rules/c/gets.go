package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) Gets(p *rule.Pass) {
	for _, d := range p.Nodes("function_declarator", "preproc_def", "preproc_function_def") {
		if d.ChildByField("declarator").Text() == "gets" || d.ChildByField("name").Text() == "gets" {
			return // the program's own gets
		}
	}
	p.ReportWhere(p.CallsTo("gets"), func(call rule.Node) bool { return len(p.Args(call)) == 1 })
}

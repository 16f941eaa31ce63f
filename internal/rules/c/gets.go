package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) Gets(p *rule.Pass) {
	for _, d := range p.Nodes("function_declarator", "preproc_def", "preproc_function_def") {
		if d.ChildByField("declarator").Text() == "gets" || d.ChildByField("name").Text() == "gets" {
			return // the program's own gets
		}
	}
	for _, call := range p.CallsTo("gets") {
		if len(p.Args(call)) == 1 {
			p.Report(call, "")
		}
	}
}

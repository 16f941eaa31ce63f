package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) Gets(p *rule.Pass) {
	for _, d := range p.Nodes("function_declarator") {
		if d.ChildByField("declarator").Text() == "gets" {
			return // the program's own gets
		}
	}
	for _, d := range p.Nodes("preproc_def", "preproc_function_def") {
		if d.ChildByField("name").Text() == "gets" {
			return
		}
	}
	for _, call := range p.Calls() {
		if p.Callee(call) == "gets" && len(p.Args(call)) == 1 {
			p.Report(call, "")
		}
	}
}

package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ThreadRun(p *rule.Pass) {
	for _, call := range p.Calls() {
		on := rule.Bare(receiver(call))
		if p.Method(call) != "run" || len(p.Args(call)) > 0 || !on.Valid() {
			continue
		}
		if callee(p, on) == "Thread" && on.Kind() == "object_creation_expression" ||
			on.Kind() == "identifier" && typeOf(p, on, on.Text()) == "Thread" {
			p.Report(call, "")
		}
	}
}

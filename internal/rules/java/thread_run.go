package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ThreadRun(p *rule.Pass) {
	for _, call := range p.MethodCalls("run") {
		on := rule.Bare(receiver(call))
		created := callee(p, on) == "Thread" && on.Is("object_creation_expression")
		if len(p.Args(call)) == 0 && (created || on.Is("identifier") && isOf(p, on, "Thread")) {
			p.Report(call, "")
		}
	}
}

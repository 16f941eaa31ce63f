package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ThreadRun(p *rule.Pass) {
	p.ReportWhere(p.MethodCalls("run"), func(call rule.Node) bool {
		on := rule.Bare(receiver(call))
		created := callee(p, on) == "Thread" && on.Is("object_creation_expression")
		return len(p.Args(call)) == 0 && (created || on.Is("identifier") && isOf(p, on, "Thread"))
	})
}

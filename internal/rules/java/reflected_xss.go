package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ReflectedXSS(p *rule.Pass) {
	p.ReportWhere(p.MethodCalls("print", "println", "write", "append", "printf", "format"), func(call rule.Node) bool {
		method := outermost(p, call).Text()
		return strings.HasSuffix(callee(p, value(p, receiver(call))), ".getWriter") && input(p).AnyTainted(p.Args(call)) &&
			!strings.Contains(method, "text/plain") && !strings.Contains(method, "json")
	})
}

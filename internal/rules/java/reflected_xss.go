package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ReflectedXSS(p *rule.Pass) {
	for _, call := range p.MethodCalls("print", "println", "write", "append", "printf", "format") {
		method := outermost(p, call).Text()
		if strings.HasSuffix(callee(p, value(p, receiver(call))), ".getWriter") && input(p).AnyTainted(p.Args(call)) &&
			!strings.Contains(method, "text/plain") && !strings.Contains(method, "json") {
			p.Report(call, "")
		}
	}
}

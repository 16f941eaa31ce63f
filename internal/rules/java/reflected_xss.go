package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ReflectedXSS(p *rule.Pass) {
	writes := []string{"print", "println", "write", "append", "printf", "format"}
	for _, call := range p.Calls() {
		to := receiver(call)
		if !slices.Contains(writes, p.Method(call)) || !to.Valid() {
			continue
		}
		source := value(p, to)
		if strings.HasSuffix(callee(p, source), ".getWriter") && input(p).AnyTainted(p.Args(call)) &&
			!strings.Contains(outermost(p, call).Text(), "text/plain") && !strings.Contains(outermost(p, call).Text(), "json") {
			p.Report(call, "")
		}
	}
}

package kotlin

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) BlockingInCoroutine(p *rule.Pass) {
	for _, c := range p.CallsTo("Thread.sleep", "runBlocking") {
		f := c.Enclosing("function_declaration", "lambda_literal", "anonymous_function", "object_literal")
		if f.Is("function_declaration") && suspending(f) {
			p.Report(c, "")
		}
	}
}

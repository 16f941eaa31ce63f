package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// RequestSizedWork looks for memory that is as large as a request says.
func (*checks) RequestSizedWork(p *rule.Pass) {
	for _, call := range slices.Concat(p.Calls(), p.News()) {
		callee := p.Callee(call)
		sized := rule.OneOf(callee, "Buffer.alloc", "Buffer.allocUnsafe", "crypto.randomBytes", "Array", "Uint8Array") ||
			rule.OneOf(rule.LastName(callee), "repeat", "padStart", "padEnd")
		if sized && p.RequestNumber(p.Arg(call, 0), "parseInt", "Number", "Number.parseInt") {
			p.Report(call, "")
		}
	}
}

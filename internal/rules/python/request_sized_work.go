package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// RequestSizedWork looks for memory and loops that are as large as a request says.
func (*checks) RequestSizedWork(p *rule.Pass) {
	for _, call := range p.Calls() {
		if rule.OneOf(p.Callee(call), "range", "bytes", "bytearray", "os.urandom", "numpy.zeros", "np.zeros", "np.ones") {
			args := p.Args(call)
			if len(args) > 0 && len(args) < 3 && p.RequestNumber(args[len(args)-1], "int") {
				p.Report(call, "")
			}
		}
	}
	for _, n := range p.Nodes("binary_operator") {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if n.Operator() == "*" && (left.Is("string", "list") && p.RequestNumber(right, "int") ||
			right.Is("string", "list") && p.RequestNumber(left, "int")) {
			p.Report(n, "")
		}
	}
}

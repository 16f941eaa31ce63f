package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// UnboundedMemcpy looks for arrays of fixed size into which as much is copied as a number from outside says, or as a text is long.
func (*checks) UnboundedMemcpy(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		if len(args) != 3 || !rule.OneOf(p.Callee(call), "memcpy", "memmove", "strncpy", "strncat", "read", "recv") {
			continue
		}
		function, target, size := p.Function(call), args[0], rule.Bare(args[2])
		if !short(function) {
			continue
		}
		if rule.OneOf(p.Callee(call), "read", "recv") {
			target = args[1]
		}
		vars := variables(p, function)
		buffer, known := vars[target.Text()]
		if !known || !buffer.array || buffer.param || !buffer.size.Valid() || compared(function, call.Start(), target.Text()) {
			continue
		}
		switch {
		case unboundedNumber(p, function, size, call.Start()):
			p.Report(call, size.Text())
		case p.IsCall(size) && p.Callee(size) == "strlen" && outside(p, vars, p.Arg(size, 0)) && !checkedLength(p, function, size):
			p.Report(call, size.Text())
		}
	}
}

// checkedLength tells whether the function asks for the same length somewhere else.
func checkedLength(p *rule.Pass, function, size rule.Node) bool {
	return rule.Any(function.Find("call_expression"), func(c rule.Node) bool {
		return c != size && c.Text() == size.Text()
	})
}

package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// FatalInGoroutine looks for FailNow and its kin off the test's goroutine.
func (*checks) FatalInGoroutine(p *rule.Pass) {
	for _, call := range p.Calls() {
		x, name := method(call)
		if x.Kind() != "identifier" || !rule.OneOf(name, "Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow") {
			continue
		}
		for fn := p.Function(call); fn.Valid(); fn = p.Function(fn) {
			if _, ok := parameters(fn)[x.Text()]; ok {
				break
			}
			started := fn.Kind() == "func_literal" && fn.Parent().Kind() == "call_expression" &&
				fn.Parent().Parent().Kind() == "go_statement"
			if !started {
				continue
			}
			switch parameterType(p, fn, x.Text()) {
			case "*testing.T", "*testing.B", "testing.TB":
				p.Report(call, "")
			}
			break
		}
	}
}

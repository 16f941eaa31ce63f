package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// FocusedTest looks for .only left in a suite. (A file called focused_test.go would be a test.) What tests read as data, and tests of
// .only itself, have it on purpose.
func (*checks) FocusedTest(p *rule.Pass) {
	if !p.InTest() || p.InFixture() || strings.Contains(rule.Words(p.Path), "_only_") {
		return
	}
	for _, call := range p.Calls() {
		f, args := call.ChildByField("function").Text(), p.Args(call)
		if len(args) < 2 || !p.IsString(args[0]) || !isFunction(args[len(args)-1]) && !isFunction(args[1]) {
			continue
		}
		if rule.OneOf(f, "it.only", "test.only", "describe.only", "context.only", "suite.only", "fit", "fdescribe", "ftest") &&
			call.Parent().Kind() == "expression_statement" {
			p.Report(call.ChildByField("function"), "")
		}
	}
}

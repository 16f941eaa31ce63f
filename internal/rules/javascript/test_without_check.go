package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// TestWithoutCheck looks for expectations that are never evaluated, and for
// tests that only print.
func (*checks) TestWithoutCheck(p *rule.Pass) {
	if !p.InTest() || p.InFixture() {
		return
	}
	for _, n := range p.Nodes("expression_statement") {
		e := n.NamedChild(0)
		if e.Kind() == "call_expression" && e.ChildByField("function").Text() == "expect" && len(p.Args(e)) == 1 &&
			!strings.Contains(e.Text(), ".should") { // the argument checks by itself
			p.Report(n, "expect without a matcher")
		}
		if o, name := member(e); strings.HasPrefix(name, "toBe") || strings.HasPrefix(name, "toEqual") ||
			strings.HasPrefix(name, "toHave") || strings.HasPrefix(name, "toThrow") {
			if strings.HasPrefix(o.Text(), "expect(") {
				p.Report(n, name+" is not called")
			}
		}
	}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		if f := call.ChildByField("function").Text(); f != "it" && f != "test" {
			return false
		}
		fn := p.Arg(call, 1)
		return isFunction(fn) && len(p.ParameterNames(fn)) == 0 && printsOnly(p, fn)
	})
}

// printsOnly tells whether a test's statements are prints of computed values
// and declarations, nothing else.
func printsOnly(p *rule.Pass, fn rule.Node) bool {
	prints := false
	for _, s := range fn.ChildByField("body").Statements() {
		switch s.Kind() {
		case "lexical_declaration", "variable_declaration":
		case "expression_statement":
			call := unwrap(s.NamedChild(0))
			if o, _ := method(call); o.Text() != "console" || !call.Has("call_expression", "identifier") {
				return false
			}
			prints = true
		default:
			return false
		}
	}
	return prints && !strings.Contains(fn.Text(), "expect") && !strings.Contains(fn.Text(), "assert")
}

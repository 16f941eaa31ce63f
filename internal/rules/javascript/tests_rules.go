package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// focusedTest looks for .only left in a suite.
func focusedTest() rule.Rule {
	return rule.Rule{
		ID: "javascript/focused-test", Title: "Focused test switches the others off",
		Category: "test-quality", CWE: "", Severity: "medium", Languages: languages, Confidence: 0.95, InTests: rule.SameInTests,
		Explanation: "With .only (or fit, fdescribe) the runner skips every other test of the file, so the suite passes without testing.",
		Suggestion:  "Remove .only before committing.",
		Bad: []rule.Sample{
			{Path: "test/a.test.js", Source: "describe('sum', () => {\n  it.only('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n});\n"},
			{Path: "test/a.test.js", Source: "fdescribe('sum', () => {\n  it('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n});\n"},
		},
		Good: []rule.Sample{
			{Path: "test/a.test.js", Source: "describe('sum', () => {\n  it('adds', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n});\n"},
			{Path: "test/a.test.js", Source: "test.skip('adds', () => {});\n"},
			{Path: "src/pick.js", Source: "const q = it.only('name', () => 1);\n"},
			{Path: "test/a.test.js", Source: "fit(model, data);\n"},
		},
		Check: func(p *rule.Pass) {
			if !p.InTest() {
				return
			}
			for _, call := range p.Calls() {
				f := call.ChildByField("function").Text()
				args := p.Args(call)
				if len(args) < 2 || !p.IsString(args[0]) || !isFunction(args[len(args)-1]) && !isFunction(args[1]) {
					continue
				}
				if slices.Contains([]string{"it.only", "test.only", "describe.only", "context.only", "suite.only", "fit", "fdescribe", "ftest"}, f) && call.Parent().Kind() == "expression_statement" {
					p.Report(call.ChildByField("function"), "")
				}
			}
		},
	}
}

// testWithoutCheck looks for expectations that are never evaluated, and for
// tests that only print.
func testWithoutCheck() rule.Rule {
	return rule.Rule{
		ID: "javascript/test-without-check", Title: "Test that checks nothing",
		Category: "test-quality", CWE: "", Severity: "low", Languages: languages, Confidence: 0.85, InTests: rule.SameInTests,
		Explanation: "expect(x) alone compares nothing, and neither does a matcher that is named but not called; a test that only prints passes whatever the code does.",
		Suggestion:  "Call a matcher: expect(sum(1, 2)).toBe(3).",
		Bad: []rule.Sample{
			{Path: "test/a.test.js", Source: "it('adds', () => {\n  expect(sum(1, 2) === 3);\n});\n"},
			{Path: "test/a.test.js", Source: "it('adds', () => {\n  expect(sum(1, 2)).toBe;\n});\n"},
			{Path: "test/a.test.js", Source: "it('adds', () => {\n  console.log(sum(1, 2));\n});\n"},
		},
		Good: []rule.Sample{
			{Path: "test/a.test.js", Source: "it('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n"},
			{Path: "test/a.test.js", Source: "it('adds', () => {\n  expect(ok).to.be.true;\n  check(sum);\n});\n"},
			{Path: "test/a.test.js", Source: "it('compiles', () => {\n  compile('x');\n});\n"},
		},
		Check: func(p *rule.Pass) {
			if !p.InTest() {
				return
			}
			for n := range p.Nodes("expression_statement") {
				e := n.NamedChild(0)
				if e.Kind() == "call_expression" && e.ChildByField("function").Text() == "expect" && len(p.Args(e)) == 1 {
					p.Report(n, "expect without a matcher")
				}
				if o, name := member(e); strings.HasPrefix(name, "toBe") || strings.HasPrefix(name, "toEqual") || strings.HasPrefix(name, "toHave") || strings.HasPrefix(name, "toThrow") {
					if strings.HasPrefix(o.Text(), "expect(") {
						p.Report(n, name+" is not called")
					}
				}
			}
			for _, call := range p.Calls() {
				if f := call.ChildByField("function").Text(); f != "it" && f != "test" {
					continue
				}
				fn := p.Arg(call, 1)
				if isFunction(fn) && len(p.ParameterNames(fn)) == 0 && printsOnly(p, fn) {
					p.Report(call, "")
				}
			}
		},
	}
}

// printsOnly tells whether a test's statements are prints of computed values
// and declarations, nothing else.
func printsOnly(p *rule.Pass, fn syntax.Node) bool {
	prints := false
	for _, s := range statements(fn.ChildByField("body")) {
		switch s.Kind() {
		case "lexical_declaration", "variable_declaration":
		case "expression_statement":
			call := unwrap(s.NamedChild(0))
			if o, _ := method(call); o.Text() != "console" || !has(call, "call_expression", "identifier") {
				return false
			}
			prints = true
		default:
			return false
		}
	}
	return prints && !strings.Contains(fn.Text(), "expect") && !strings.Contains(fn.Text(), "assert")
}

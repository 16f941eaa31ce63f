package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// testWithoutCheck looks for tests that use their t for nothing and cannot fail
// except by a panic.
func testWithoutCheck() rule.Rule {
	return rule.Rule{
		ID: "go/test-without-check", Title: "Test that checks nothing",
		Category: "test-quality", CWE: "", Severity: "low", Languages: languages, Confidence: 0.8, InTests: rule.SameInTests,
		Explanation: "The test computes or prints values but compares none, so it passes whatever the code does and only pretends to cover it.",
		Suggestion:  "Compare the result with what is expected and call t.Errorf when it differs.",
		Bad: []rule.Sample{
			{Path: "a_test.go", Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestAdd(t *testing.T) {\n\tfmt.Println(Add(1, 2))\n}\n\nfunc Add(a, b int) int { return a + b }\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tgot := Add(1, 2)\n\tt.Log(got)\n}\n\nfunc Add(a, b int) int { return a + b }\n"},
		},
		Good: []rule.Sample{
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n\nfunc Add(a, b int) int { return a + b }\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { check(t, 3) }\n\nfunc check(t *testing.T, n int) { t.Helper() }\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestNoPanic(t *testing.T) { Close(nil) }\n\nfunc Close(x any) {}\n"},
		},
		Check: func(p *rule.Pass) {
			if !strings.HasSuffix(p.Path, "_test.go") || imported(p, "testing") == "" {
				return
			}
			for fn := range p.Nodes("function_declaration") {
				name := fn.ChildByField("name").Text()
				params := parameters(fn)
				t := ""
				for n, typ := range params {
					if typ == "*testing.T" {
						t = n
					}
				}
				if !strings.HasPrefix(name, "Test") || len(params) != 1 || t == "" || name == "TestMain" {
					continue
				}
				if body := fn.ChildByField("body"); printsOnly(body, t) {
					p.Report(fn.ChildByField("name"), "")
				}
			}
		},
	}
}

var printed = regexp.MustCompile(`^(fmt\.Print(ln|f)?|log\.Print(ln|f)?|println|spew\.Dump)$`)

// survives matches names of tests whose point is that the code comes back.
var survives = regexp.MustCompile(`(?i)crash|panic|hang|race|fuzz|leak|dump|print|example|bench|deadlock`)

// printsOnly tells whether a test prints what it computed and has no statement
// that could make it fail. A test that prints nothing may be there to show
// that nothing panics or races.
func printsOnly(body syntax.Node, t string) bool {
	prints := false
	if survives.MatchString(body.Parent().ChildByField("name").Text()) {
		return false
	}
	for call := range body.Find("call_expression") {
		f := call.ChildByField("function")
		x, name := selector(f)
		switch {
		case printed.MatchString(f.Text()), x.Text() == t && (name == "Log" || name == "Logf"):
			prints = prints || call.Enclosing("func_literal", "function_declaration").Kind() == "function_declaration"
		case x.Text() == t && name != "Parallel" && name != "Helper":
			return false
		case f.Text() == "panic" || name == "Fatal" || name == "Fatalf" || name == "Exit" || name == "Panic":
			return false
		case mentions(call.ChildByField("arguments"), t) || x.Text() == "assert" || x.Text() == "require" || x.Text() == "is":
			return false
		}
	}
	return prints && !has(body, "go_statement", "select_statement", "send_statement")
}

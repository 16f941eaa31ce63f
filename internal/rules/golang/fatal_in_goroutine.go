package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// fatalInGoroutine looks for FailNow and its kin off the test's goroutine.
func fatalInGoroutine() rule.Rule {
	return rule.Rule{
		ID: "go/fatal-in-goroutine", Title: "t.Fatal called from another goroutine than the test's",
		Category: "test-quality", CWE: "", Severity: "medium", Languages: languages, Confidence: 0.95, InTests: rule.SameInTests,
		Explanation: "Fatal ends the goroutine that calls it, not the test. The test goes on without its result: it hangs on a channel or passes although the check failed.",
		Suggestion:  "Use t.Error and return in the goroutine, or send the error to the test's goroutine and fail there.",
		Bad: []rule.Sample{
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tif err := f(); err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\tdone <- true\n\t}()\n\t<-done\n}\n\nfunc f() error { return nil }\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {\n\tgo func() { b.FailNow() }()\n}\n"},
		},
		Good: []rule.Sample{
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tgo func() { t.Error(\"no\") }()\n}\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) { t.Fatal(\"no\") })\n}\n"},
			{Path: "a_test.go", Source: "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tgo func() {\n\t\tt.Run(\"x\", func(t *testing.T) { t.Fatal(\"no\") })\n\t}()\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				x, name := method(call)
				if x.Kind() != "identifier" || !slices.Contains([]string{"Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow"}, name) {
					continue
				}
				for fn := p.Function(call); fn.Valid(); fn = p.Function(fn) {
					if t, ok := parameters(fn)[x.Text()]; ok {
						_ = t
						break
					}
					started := fn.Kind() == "func_literal" && fn.Parent().Kind() == "call_expression" && fn.Parent().Parent().Kind() == "go_statement"
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
		},
	}
}

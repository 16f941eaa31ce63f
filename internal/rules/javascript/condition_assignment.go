package javascript

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// conditionAssignment looks for if (x = literal).
func conditionAssignment() rule.Rule {
	return rule.Rule{
		ID: "javascript/condition-assignment", Title: "Assignment where a comparison was meant",
		Category: "comparison", CWE: "CWE-481", Severity: "high", Languages: languages, Confidence: 0.9,
		Explanation: "A single = stores the value and tests it, so the branch depends on the constant and not on the variable, which is overwritten as well.",
		Suggestion:  "Write ===; where the assignment is meant, make it a statement of its own before the test.",
		Bad: []rule.Sample{
			{Source: "if (user.role = 'admin') {\n  grant(user);\n}\n"},
			{Source: "function f(done, n) {\n  if (n > 1 && (done = true)) return 1;\n  if (n = 0) return 2;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "if (user.role === 'admin') {\n  grant(user);\n}\n"},
			{Source: "let m;\nwhile ((m = re.exec(s))) {\n  use(m);\n}\n"},
			{Source: "let node;\nif ((node = find())) {\n  use(node);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("if_statement", "while_statement", "do_statement") {
				cond := n.ChildByField("condition")
				if cond.NumNamed() != 1 {
					continue
				}
				a := cond.NamedChild(0)
				if a.Kind() != "assignment_expression" {
					continue
				}
				switch unwrap(a.ChildByField("right")).Kind() {
				case "string", "number", "true", "false", "null", "undefined":
					p.Report(cond, "")
				}
			}
		},
	}
}

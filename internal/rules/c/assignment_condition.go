package c

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func assignmentInCondition() rule.Rule {
	return rule.Rule{
		ID: "c/assignment-in-condition", Title: "a constant is assigned where it should be compared",
		Category: "comparison", CWE: "CWE-481", Severity: "high", Confidence: 0.95,
		Languages: []string{"c"},
		Explanation: "x = 3 in a condition stores 3 and tests 3: the variable is overwritten and the branch is always taken (or, with 0, never). " +
			"The comparison that was meant never happens.",
		Suggestion: "Write ==. Where the assignment is meant, do it in a statement of its own.",
		Bad: []rule.Sample{
			{Source: "int admin(int uid) {\n    if (uid = 0)\n        return 1;\n    return 0;\n}\n"},
			{Source: "void wait(struct job *j) {\n    while (j->state = RUNNING)\n        poll_job(j);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int admin(int uid) {\n    if (uid == 0)\n        return 1;\n    return 0;\n}\n"},
			{Source: "void all(FILE *f) {\n    int c;\n    while ((c = getc(f)) != EOF)\n        put(c);\n}\n"},
			{Source: "void all(struct list *l) {\n    struct item *i;\n    while (i = list_pop(l))\n        put(i);\n}\n"},
			{Source: "void once(int a) {\n    int b;\n    if (a == 1 && (b = 2))\n        put(b);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("if_statement", "while_statement", "do_statement") {
				c := n.ChildByField("condition")
				if c.Kind() != "parenthesized_expression" || c.NumNamed() != 1 {
					continue
				}
				a := c.NamedChild(0)
				if a.Kind() != "assignment_expression" || operator(a) != "=" || broken(n) {
					continue
				}
				value := bare(a.ChildByField("right"))
				if p.Constant(value) && value.Kind() != "string_literal" {
					p.Report(a, "")
				}
			}
		},
	}
}

package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// mapWithoutReturn looks for callbacks whose value is used but never given.
func mapWithoutReturn() rule.Rule {
	return rule.Rule{
		ID: "javascript/missing-return", Title: "Array callback returns nothing",
		Category: "logic", CWE: "CWE-394", Severity: "medium", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "A callback with a block body gives undefined unless it says return: map then yields an array of undefined, filter an empty one, and reduce loses its sum after the first element.",
		Suggestion:  "Return the value; for side effects alone use forEach.",
		Bad: []rule.Sample{
			{Source: "const names = users.map((u) => {\n  u.name.trim();\n});\n"},
			{Source: "const total = rows.reduce((sum, r) => {\n  sum + r.price;\n}, 0);\n"},
		},
		Good: []rule.Sample{
			{Source: "const names = users.map((u) => {\n  return u.name.trim();\n});\n"},
			{Source: "const names = users.map((u) => u.name.trim());\n"},
			{Source: "const jobs = users.map(async (u) => {\n  await save(u);\n});\n"},
			{Source: "users.map((u) => {\n  u.seen = true;\n});\n"},
			{Source: "const bad = users.map((u) => {\n  throw new Error('no ' + u);\n});\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				_, name := method(call)
				fn := p.Arg(call, 0)
				if !slices.Contains([]string{"map", "filter", "reduce", "some", "every", "find", "findIndex", "flatMap"}, name) || !isFunction(fn) || len(p.Args(call)) > 2 {
					continue
				}
				body := fn.ChildByField("body")
				if body.Kind() != "statement_block" || len(statements(body)) == 0 || !used(call) || async(fn) || fn.Kind() == "generator_function" {
					continue
				}
				returns := false
				own(p, fn, func(n syntax.Node) {
					returns = returns || n.Kind() == "return_statement" || n.Kind() == "throw_statement" || n.Kind() == "yield_expression"
				})
				if !returns && !(name == "map" && len(p.ParameterNames(fn)) == 0) {
					p.Report(call, "")
				}
			}
		},
	}
}

// used tells whether the call's value goes to a name, an argument or a return.
func used(call syntax.Node) bool {
	n := call
	for n.Parent().Kind() == "parenthesized_expression" || n.Parent().Kind() == "await_expression" {
		n = n.Parent()
	}
	switch n.Parent().Kind() {
	case "variable_declarator", "return_statement", "pair":
		return true
	case "assignment_expression":
		return n.Field() == "right"
	}
	return false
}

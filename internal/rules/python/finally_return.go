package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func finallyReturn() rule.Rule {
	return rule.Rule{
		ID: "python/return-in-finally", Title: "return in finally throws the exception away",
		Category: "error-handling", CWE: "CWE-584", Severity: "medium", Languages: []string{"python"}, Confidence: 0.95,
		Explanation: "A return, break or continue in finally ends the handling of whatever was raised: the caller never learns of it.",
		Suggestion:  "Move the statement behind the try statement.",
		Bad: []rule.Sample{
			code(`def f():`, `    try:`, `        work()`, `    finally:`, `        return 1`),
			code(`def f(xs):`, `    for x in xs:`, `        try:`, `            work(x)`, `        finally:`, `            x.close()`, `            continue`),
		},
		Good: []rule.Sample{
			code(`def f():`, `    try:`, `        return work()`, `    finally:`, `        close()`),
			code(`def f():`, `    try:`, `        work()`, `    finally:`, `        def g():`, `            return 1`, `        g()`),
			code(`def f(xs):`, `    try:`, `        work()`, `    finally:`, `        for x in xs:`, `            if x:`, `                break`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("return_statement", "break_statement", "continue_statement") {
				stop := []string{"finally_clause", "function_definition", "lambda"}
				if n.Kind() != "return_statement" {
					stop = append(stop, "for_statement", "while_statement")
				}
				if n.Enclosing(stop...).Kind() == "finally_clause" {
					p.Report(n, "")
				}
			}
		},
	}
}

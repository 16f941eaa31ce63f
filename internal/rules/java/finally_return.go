package java

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func finallyReturn() rule.Rule {
	return rule.Rule{
		ID: "java/return-in-finally", Title: "a return in a finally block discards the exception",
		Category: "error-handling", CWE: "CWE-584", Severity: "medium", Confidence: 0.93,
		Languages: []string{"java"},
		Explanation: "A finally block that returns ends the method normally whatever happened before: an exception on its way out, errors such as OutOfMemoryError " +
			"included, vanishes, and so does the value that the try block returned.",
		Suggestion: "Return after the try statement; keep only cleaning up in finally.",
		Bad: []rule.Sample{
			{Source: "class Store {\n  boolean save(Item i) {\n    boolean done = false;\n    try {\n      db.put(i);\n      done = true;\n    } finally {\n      return done;\n    }\n  }\n}\n"},
			{Source: "class Store {\n  int count() {\n    try {\n      return db.count();\n    } finally {\n      if (db.closed()) {\n        return 0;\n      }\n    }\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Store {\n  int count() {\n    try {\n      return db.count();\n    } finally {\n      db.close();\n    }\n  }\n}\n"},
			{Source: "class Store {\n  void later() {\n    try {\n      db.count();\n    } finally {\n      pool.submit(() -> { return 1; });\n    }\n  }\n}\n"},
			{Source: "class Store {\n  int count() {\n    try {\n      db.open();\n    } finally {\n      db.close();\n    }\n    return 1;\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for f := range p.Nodes("finally_clause") {
				f.Walk(func(n syntax.Node) bool {
					switch n.Kind() {
					case "lambda_expression", "class_body":
						return false
					case "return_statement":
						p.Report(n, "")
					}
					return true
				})
			}
		},
	}
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// evalLiteral runs what was only to be read.
func evalLiteral() plant.Operator {
	proof := code(`import app`, `try:`, `    app.read("print(1)")`, `    assert False`, `except ValueError:`, `    pass`)
	return plant.Operator{
		Name: "python/eval-literal", Language: "python", Split: heldout, Category: "injection", CWE: "CWE-95", Severity: "critical", Hint: "literal_eval",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				if method(c) != "literal_eval" || len(args(c)) != 1 || strings.Contains(s.text, "ast.parse(") { // parsed nodes are no text
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(c.ChildByField("function"), "eval")}, Description: say(
					"%s evaluates `%s` as Python instead of reading a literal: whoever writes it runs any code.", where(c), short(args(c)[0]))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import ast`, ``, `def read(text):`, `    return ast.literal_eval(text)`), code(`def read(text):`, `    return eval(text)`), proof),
			sample(code(`from ast import literal_eval`, `def read(text): return [`, `    literal_eval(`, `        text.strip())]`), code(`def read(text): return [`, `    eval(`, `        text.strip())]`), proof),
		},
		Never: []string{code(`import ast`, `def read(text):`, `    return [ast.literal_eval(n) for n in ast.parse(text).body]`), code(`def read(text):`, `    return eval(text)`), code(`import json`, `def read(text):`, `    return json.loads(text)`)},
	}
}

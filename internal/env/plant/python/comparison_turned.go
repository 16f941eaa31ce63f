package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// comparisonTurned asks the opposite of what was meant.
func comparisonTurned() plant.Operator {
	return plant.Operator{
		Name: "python/comparison-turned", Language: "python", Split: heldout, Category: "comparison", CWE: "CWE-697", Severity: "high", Hint: "",
		Sites: sites(func(s *source) []plant.Site {
			turned := map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}
			var all []plant.Site
			for _, n := range s.nodes("comparison_operator") {
				if n.NumNamed() != 2 || !n.Enclosing("function_definition").Valid() {
					continue
				}
				op := n.NamedChild(0).NextSibling()
				to, ok := turned[op.Text()]
				_, guards := guard(n.Parent())
				if !ok || !guards && n.Parent().Kind() != "return_statement" {
					continue
				}
				what := "answers"
				if guards {
					what = "refuses"
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(op, to)}, Description: say(
					"%s %s by the wrong comparison: `%s %s %s` should be %s.", where(n), what, short(n.NamedChild(0)), to, short(n.NamedChild(1)), op.Text())})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def late(now, due):`, `    return now > due`), code(`def late(now, due):`, `    return now < due`), code(`import app`, `assert app.late(3, 2)`)),
			sample(code(`def put(xs, size):`, `    if len(xs)>=size: # full`, `        raise ValueError(size)`, `    xs.append(1)`), code(`def put(xs, size):`, `    if len(xs)<=size: # full`, `        raise ValueError(size)`, `    xs.append(1)`), code(`import app`, `app.put([], 3)`)),
		},
		Never: []string{code(`def same(a, b):`, `    return a == b`), code(`def inside(a, x, b):`, `    return a <= x < b`), code(`def f(a, b):`, `    if a < b:`, `        return a`)},
	}
}

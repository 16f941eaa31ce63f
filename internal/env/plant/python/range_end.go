package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// rangeEnd makes a count end one early.
func rangeEnd() plant.Operator {
	return plant.Operator{
		Name: "python/range-end", Language: "python", Split: heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", Hint: "range(",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if callee(c) != "range" || len(a) == 0 || len(a) > 2 {
					continue
				}
				end := a[len(a)-1]
				if end.Kind() != "binary_operator" || end.ChildByField("operator").Text() != "+" || end.ChildByField("right").Text() != "1" {
					continue
				}
				left := end.ChildByField("left")
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(end, left.Text())}, Description: say(
					"The loop of %s ends before %s, which belongs to it: the last round is left out.", where(c), short(left))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def pages(n):`, `    return [i for i in range(1, n + 1)]`), code(`def pages(n):`, `    return [i for i in range(1, n)]`),
				code(`import app`, `assert app.pages(2) == [1, 2]`)),
			sample(code(`def tries(most, send):`, `    for i in range(`, `        most+1  # and the first`, `    ):`, `        send(i)`), code(`def tries(most, send):`, `    for i in range(`, `        most  # and the first`, `    ):`, `        send(i)`),
				code(`import app`, `seen = []`, `app.tries(1, seen.append)`, `assert seen == [0, 1]`)),
		},
		Never: []string{
			code(`def f(n):`, `    return list(range(n))`),
			strings.Join([]string{"def f(xs):", "    for i in range(len(xs) - 1):", "        yield xs[i] < xs[i + 1]", ""}, "\n"),
		},
	}
}

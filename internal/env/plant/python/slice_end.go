package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// sliceEnd lets a chunk reach one into the next.
func sliceEnd() plant.Operator {
	return plant.Operator{
		Name: "python/slice-end", Language: "python", Split: train, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", Hint: "[",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("subscript") {
				cut := n.ChildByField("subscript")
				if cut.Kind() != "slice" || cut.NumNamed() != 2 {
					continue
				}
				start, end := cut.NamedChild(0), cut.NamedChild(1)
				if end.Kind() != "binary_operator" || end.ChildByField("operator").Text() != "+" || end.ChildByField("left").Text() != start.Text() || end.ChildByField("right").Kind() == "integer" {
					continue
				}
				if strings.Count(cut.Text(), ":") != 1 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(end, end.Text()+" + 1")}, Description: say(
					"%s cuts %s one element too far: each piece holds one more than %s, which belongs to the next one.", where(n), n.ChildByField("value").Text(), short(end.ChildByField("right")))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def chunks(xs, n):`, `    return [xs[i : i + n] for i in range(0, len(xs), n)]`), code(`def chunks(xs, n):`, `    return [xs[i : i + n + 1] for i in range(0, len(xs), n)]`),
				code(`import app`, `assert app.chunks([1, 2, 3], 2) == [[1, 2], [3]]`)),
			sample(code(`def page(rows, at, size):`, `    return rows[`, `        at:at+size]`), code(`def page(rows, at, size):`, `    return rows[`, `        at:at+size + 1]`),
				code(`import app`, `assert app.page([1, 2, 3], 0, 2) == [1, 2]`)),
		},
		Never: []string{code(`def f(xs, a, b):`, `    return xs[a:b]`), code(`def one(xs, a):`, `    return xs[a : a + 1]`)},
	}
}

package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// lengthIndex writes the last element as x[len(x) - 1].
func lengthIndex() plant.Operator {
	return plant.Operator{
		Name: "python/length-index", Language: "python", Split: heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", Decoy: true, Hint: "-1",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("subscript") {
				value := n.ChildByField("value")
				if n.ChildByField("subscript").Text() != "-1" || value.Kind() != "identifier" && value.Kind() != "attribute" {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(n, value.Text()+"[len("+value.Text()+") - 1]")}, Description: say(
					"The index len(%s) - 1 is that of the last element; it reaches no further than -1 does.", value.Text())})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def last(xs):`, `    return xs[-1]`), code(`def last(xs):`, `    return xs[len(xs) - 1]`), ""),
			sample(code(`def last(self):`, `    return self.a [ -1 ]`), code(`def last(self):`, `    return self.a[len(self.a) - 1]`), ""),
		},
		Never: []string{code(`def last(xs):`, `    return xs[-2]`), code(`def last(f):`, `    return f()[-1]`)},
	}
}

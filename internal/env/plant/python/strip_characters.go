package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// stripCharacters takes the characters of a prefix off instead of the prefix.
func stripCharacters() plant.Operator {
	return plant.Operator{
		Name: "python/strip-characters", Language: "python", Split: heldout, Category: "api-misuse", CWE: "CWE-628", Severity: "medium", Hint: ".remove",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				instead := map[string]string{"removeprefix": "lstrip", "removesuffix": "rstrip"}[method(c)]
				a := args(c)
				if instead == "" || len(a) != 1 || a[0].Kind() == "string" && len(a[0].Text()) < 4 {
					continue
				}
				name := c.ChildByField("function").ChildByField("attribute")
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(name, instead)}, Description: say(
					"%s uses %s, which takes off any of the characters of %s, not that text: it eats into names that begin or end with them.", where(c), instead, short(a[0]))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def kind(topic):`, `    return topic.removeprefix("topic:")`), code(`def kind(topic):`, `    return topic.lstrip("topic:")`), code(`import app`, `assert app.kind("topic:pilot") == "pilot"`)),
			sample(code(`END = ".json"`, `def stem(name):`, `    return (name`, `        .removesuffix( END )  # bare`, `    )`), code(`END = ".json"`, `def stem(name):`, `    return (name`, `        .rstrip( END )  # bare`, `    )`), code(`import app`, `assert app.stem("moons.json") == "moons"`)),
		},
		Never: []string{code(`def f(x):`, `    return x.lstrip("ab")`), code(`def f(x):`, `    return x.removeprefix("a")`)},
	}
}

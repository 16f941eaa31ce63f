package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// swappedArguments hands two arguments over in the wrong order to a function of another file.
func swappedArguments() plant.Operator {
	return plant.Operator{
		Name: "python/swapped-arguments", Language: "python", Split: heldout, Category: "api-misuse", CWE: "CWE-683", Severity: "high", CrossFile: true, Hint: ",",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range indexOf(s.p).from[s.path] {
				a := args(c.node)
				for i := 0; i+1 < len(a) && i+1 < len(c.to.params); i++ {
					first, second := a[i], a[i+1]
					// Both are called what the function calls them, so that their order is meant.
					if first.Kind() != "identifier" || second.Kind() != "identifier" || first.Text() != c.to.params[i] || second.Text() != c.to.params[i+1] {
						continue
					}
					all = append(all, plant.Site{Edits: []plant.Edit{s.edit(first.Start(), second.End(), second.Text()+s.text[first.End():second.Start()]+first.Text())}, Description: say(
						"%s passes %s and %s the wrong way round: %s in %s takes them in the other order.", where(c.node), second.Text(), first.Text(), c.to.name, c.to.file)})
					break
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/app.py": code("from shop.paths import place", "", "", "def save(folder, name):", "    return place(folder, name)"), "shop/paths.py": code("def place(folder, name):", `    return folder + "/" + name`)},
				Path: "shop/app.py", After: code("from shop.paths import place", "", "", "def save(folder, name):", "    return place(name, folder)"), Proof: code("from shop.app import save", `assert save("/srv", "x") == "/srv/x"`)},
			{Files: map[string]string{"shop/app.py": code("from .till import Till", "def pay(till: Till, given, due):", "    return till.change('eur', given,", "        due, )"), "shop/till.py": code("class Till:", "    def change(self, kind, given, due=0):", "        return given - due")},
				Path: "shop/app.py", After: code("from .till import Till", "def pay(till: Till, given, due):", "    return till.change('eur', due,", "        given, )"), Proof: code("from shop.app import pay", "from shop.till import Till", "assert pay(Till(), 5, 3) == 2")},
		},
		Never: []string{
			code("def place(folder, name):", "    return folder + name", "", "def save(folder, name):", "    return place(folder, name)"),
			code("from elsewhere import place", "def save(folder, name):", "    return place(folder, name)"),
		},
	}
}

package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// missingIsFine ignores the one error that says there is nothing to remove.
func missingIsFine() plant.Operator {
	proof := code(`import app`, `d = {1: 1}`, `app.forget(d, 1)`, `app.forget(d, 1)`, `assert d == {}`)
	return plant.Operator{
		Name: "python/missing-is-fine", Language: "python", Split: heldout, Category: "error-handling", CWE: "CWE-390", Severity: "low", Decoy: true, Hint: "(",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("expression_statement") {
				c := n.NamedChild(0)
				indent, ok := s.indent(n)
				if c.Kind() != "call" || !ok || lines(c.Text()) > 1 || n.NumNamed() != 1 {
					continue
				}
				step := "    "
				a := args(c)
				var text, why string
				switch {
				case method(c) == "pop" && len(a) == 2 && a[1].Kind() == "none" && named(object(c)):
					text, why = "del "+object(c).Text()+"["+a[0].Text()+"]", "KeyError"
				case method(c) == "unlink" && keyword(c, "missing_ok").Text() == "True" && named(object(c)):
					text, why = object(c).Text()+".unlink()", "FileNotFoundError"
				default:
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(n, "try:\n"+indent+step+text+"\n"+indent+"except "+why+":\n"+indent+step+"pass")}, Description: say(
					"%s ignores only %s, which says that what it removes is gone already; any other error is passed on.", where(n), why)})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def forget(d, key):`, `    d.pop(key, None)`), code(`def forget(d, key):`, `    try:`, `        del d[key]`, `    except KeyError:`, `        pass`), proof),
			sample(code(`def forget(d, key):`, `  if key:`, `    # may be gone`, `    d.pop( key,None ) # quietly`), code(`def forget(d, key):`, `  if key:`, `    # may be gone`, `    try:`, `        del d[key]`, `    except KeyError:`, `        pass # quietly`), proof),
		},
		Never: []string{code(`def f(d, key):`, `    return d.pop(key, None)`), code(`def f(d, key):`, `    d.pop(key)`)},
	}
}

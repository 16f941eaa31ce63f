package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var decides = regexp.MustCompile(`(?i)(^|_)(may|can|allow|allowed|permit|permitted|valid|verify|verified|genuine|trusted|check|admits?|accept|accepts|accepted|owns|fits|open_to|entitled)(_|$)`)

// failOpen says yes when the question could not be answered.
func failOpen() plant.Operator {
	return plant.Operator{
		Name: "python/fail-open", Language: "python", Split: heldout, Category: "error-handling", CWE: "CWE-636", Severity: "high", Hint: "except",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("except_clause") {
				r := one(body(n))
				fn := n.Enclosing("function_definition")
				if r.Kind() != "return_statement" || r.NumNamed() != 1 || r.NamedChild(0).Kind() != "false" || !decides.MatchString(fn.ChildByField("name").Text()) {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(r.NamedChild(0), "True")}, Description: say(
					"%s answers yes when its check fails with an error: what could not be checked counts as good.", qualified(fn))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def may_read(text):`, `    try:`, `        return int(text) > 3`, `    except ValueError:`, `        return False`), code(`def may_read(text):`, `    try:`, `        return int(text) > 3`, `    except ValueError:`, `        return True`), code(`import app`, `assert not app.may_read("x")`)),
			sample(code(`class G:`, `  def is_valid(self, text):`, `      try: return int(text) > 3`, `      except (ValueError, TypeError): return (`, `          False) and 1`, `      except Exception: # any`, `          return  False`), code(`class G:`, `  def is_valid(self, text):`, `      try: return int(text) > 3`, `      except (ValueError, TypeError): return (`, `          False) and 1`, `      except Exception: # any`, `          return  True`), code(`import app`, `class Odd:`, `    def __int__(self): raise RuntimeError`, `assert not app.G().is_valid(Odd())`)),
		},
		Never: []string{
			code(`def may_read(text):`, `    try:`, `        return int(text) > 3`, `    except ValueError:`, `        return True`),
			code(`def store(text):`, `    try:`, `        return put(text)`, `    except ValueError:`, `        return False`),
		},
	}
}

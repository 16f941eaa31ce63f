package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// orToAnd refuses only what is wrong in two ways at once.
func orToAnd() plant.Operator {
	proof := code(`import app`, `try:`, `    app.check("", 1)`, `    assert False`, `except ValueError:`, `    pass`)
	return plant.Operator{
		Name: "python/or-to-and", Language: "python", Split: train, Category: "logic", CWE: "CWE-670", Severity: "high", Hint: " or ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("if_statement") {
				cond := n.ChildByField("condition")
				if cond.Kind() == "parenthesized_expression" && cond.NumNamed() == 1 {
					cond = cond.NamedChild(0)
				}
				raised, ok := guard(n)
				op := cond.ChildByField("operator")
				if !ok || cond.Kind() != "boolean_operator" || op.Text() != "or" || cond.ChildByField("left").Kind() == "boolean_operator" || cond.ChildByField("right").Kind() == "boolean_operator" {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(op, "and")}, Description: say(
					"%s raises only when both `%s` and `%s` hold: what fails one of them is let through to what follows.", where(raised), short(cond.ChildByField("left")), short(cond.ChildByField("right")))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def check(name, n):`, `    if not name or n > 9:`, `        raise ValueError(name)`), code(`def check(name, n):`, `    if not name and n > 9:`, `        raise ValueError(name)`), proof),
			sample(code(`def check(name, n):`, `    if (not name`, `        or   n > 9):`, `        raise ValueError(name)`), code(`def check(name, n):`, `    if (not name`, `        and   n > 9):`, `        raise ValueError(name)`), proof),
		},
		Never: []string{
			code(`def check(name, n):`, `    if not name and n > 9:`, `        raise ValueError(name)`),
			code(`def check(name, n):`, `    if not name or n > 9:`, `        return 1`),
		},
	}
}

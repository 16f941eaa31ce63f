package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// escapeDropped writes a value into HTML as it is.
func escapeDropped() plant.Operator {
	return plant.Operator{
		Name: "python/escape-dropped", Language: "python", Split: heldout, Category: "xss", CWE: "CWE-79", Severity: "high", Hint: "escape(",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if name := callee(c); name != "html.escape" && name != "escape" || len(a) == 0 || !named(a[0]) && a[0].Kind() != "subscript" {
					continue
				}
				if c.Parent().Kind() != "interpolation" && c.Parent().Kind() != "binary_operator" {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(c, a[0].Text())}, Description: say(
					"%s writes %s into HTML without escaping it: markup in it runs in the reader's browser.", where(c), short(a[0]))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import html`, ``, `def bold(text):`, `    return f"<b>{html.escape(text)}</b>"`), code(`def bold(text):`, `    return f"<b>{text}</b>"`), code(`import app`, `assert "<i>" not in app.bold("<i>")`)),
			sample(code(`from html import escape`, `def cell(row):`, `    return ("<td>" +`, `        escape( row["a"], quote=True ) + "</td>")`), code(`def cell(row):`, `    return ("<td>" +`, `        row["a"] + "</td>")`), code(`import app`, `assert "<i>" not in app.cell({"a": "<i>"})`)),
		},
		Never: []string{
			code(`def bold(text):`, `    return f"<b>{text}</b>"`),
			code(`import re`, `def find(word):`, `    return f"^{re.escape(word)}$"`),
		},
	}
}

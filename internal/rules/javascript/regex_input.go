package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// regexInput looks for patterns the client writes.
func regexInput() rule.Rule {
	return rule.Rule{
		ID: "javascript/regex-from-input", Title: "Regular expression built from the request",
		Category: "injection", CWE: "CWE-1333", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "The client writes the pattern. One such as (a+)+$ takes exponential time, and while it runs the event loop serves nobody.",
		Suggestion:  "Escape the text first (RegExp.escape, or replace of /[.*+?^${}()|[\\]\\\\]/g), or search with includes.",
		Bad: []rule.Sample{
			{Source: "app.get('/search', (req, res) => {\n  const re = new RegExp(req.query.q, 'i');\n  res.json(items.filter((x) => re.test(x.name)));\n});\n"},
			{Source: "exports.find = (req, res) => {\n  const term = req.body.term.trim();\n  res.json(RegExp('^' + term).test(name));\n};\n"},
		},
		Good: []rule.Sample{
			{Source: "app.get('/search', (req, res) => {\n  const re = new RegExp(escapeRegExp(req.query.q), 'i');\n  res.json(items.filter((x) => re.test(x.name)));\n});\n"},
			{Source: "app.get('/search', (req, res) => {\n  res.json(items.filter((x) => x.name.includes(req.query.q)));\n});\n"},
			{Source: "const re = new RegExp('^' + prefix);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, n := range slices.Concat(p.News(), p.Calls()) {
				if p.Callee(n) == "RegExp" && requestFlow(p).Tainted(p.Arg(n, 0)) {
					p.Report(n, "")
				}
			}
		},
	}
}

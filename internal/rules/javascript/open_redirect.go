package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var redirectCheck = regexp.MustCompile(`(?i)(safe|valid|allow|check|whitelist|sanitize|local)\w*\(|startsWith\(|new URL\(`)

// openRedirect looks for redirects to an address the client sent.
func openRedirect() rule.Rule {
	return rule.Rule{
		ID: "javascript/open-redirect", Title: "Redirect to an address taken from the request",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "A link to this site can send the visitor to any other one. Such links carry the trust of this host into phishing mails, and may hand tokens in the address to a stranger.",
		Suggestion:  "Redirect to a path of this site only (it starts with one / and no second), or look the target up in a list.",
		Bad: []rule.Sample{
			{Source: "app.get('/go', (req, res) => {\n  res.redirect(req.query.url);\n});\n"},
			{Source: "exports.login = function (req, res, next) {\n  const next_url = req.body.returnTo || '/';\n  return res.redirect(302, next_url);\n};\n"},
		},
		Good: []rule.Sample{
			{Source: "app.get('/go', (req, res) => {\n  res.redirect('/users/' + req.params.id);\n});\n"},
			{Source: "app.get('/go', (req, res) => {\n  const url = req.query.url;\n  if (!url.startsWith('/') || url.startsWith('//')) return res.sendStatus(400);\n  res.redirect(url);\n});\n"},
			{Source: "app.get('/go', (req, res) => {\n  res.redirect(config.url + '/' + req.params.id);\n});\n"},
			{Source: "app.get('/go', (req, res) => {\n  res.redirect(pages[req.query.page] || '/');\n});\n"},
			{Source: "app.get('/go', (req, res) => {\n  res.redirect(req.originalUrl + '/');\n});\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				o, name := method(call)
				args := p.Args(call)
				if name != "redirect" || len(args) == 0 || !responseObject(p, o) {
					continue
				}
				url := args[0]
				if url.Kind() == "number" || len(args) == 2 && args[1].Kind() != "number" {
					url = args[len(args)-1]
				}
				if !requestFlow(p).Tainted(url) || redirectCheck.MatchString(p.Scope(call).Text()) {
					continue
				}
				fixed := false
				for _, text := range built(p, url) {
					if s := text.Text(); strings.Contains(s, ".originalUrl") || strings.Contains(s, ".url") && !strings.Contains(s, "query") && !strings.Contains(s, "body") {
						fixed = true // the path of this very request
					}
					if ps := parts(p, text); len(ps) > 0 && (ps[0].before != "" || !requestFlow(p).Tainted(ps[0].node)) {
						fixed = true
					}
				}
				if !fixed {
					p.Report(call, "the address is "+oneLine(url))
				}
			}
		},
	}
}

package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// openRedirect looks for redirects to an address the client sent.
func openRedirect() rule.Rule {
	return rule.Rule{
		ID: "go/open-redirect", Title: "Redirect to an address taken from the request",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "A link to this site can send the visitor to any other one. Such links carry the trust of this host into phishing mails, and may hand tokens in the address to a stranger.",
		Suggestion:  "Redirect to a path of this site only (one leading / and no second, no backslash), or look the target up in a list.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"net/http\"\n\nfunc login(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.URL.Query().Get(\"next\"), http.StatusFound)\n}\n"},
			{Source: "package a\n\nimport \"github.com/gin-gonic/gin\"\n\nfunc back(c *gin.Context) {\n\ttarget := c.Query(\"return\")\n\tc.Redirect(302, target)\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"net/http\"\n\nfunc login(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, \"/users/\"+r.PathValue(\"id\"), http.StatusFound)\n}\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"strings\"\n)\n\nfunc login(w http.ResponseWriter, r *http.Request) {\n\tnext := r.FormValue(\"next\")\n\tif !strings.HasPrefix(next, \"/\") || strings.HasPrefix(next, \"//\") {\n\t\tnext = \"/\"\n\t}\n\thttp.Redirect(w, r, next, http.StatusFound)\n}\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nfunc slash(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.URL.Path+\"/\", http.StatusFound)\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				x, name := method(call)
				var i int
				switch {
				case callTo(p, call, "net/http", "Redirect") && len(args) == 4:
					i = 2
				case name == "Redirect" && len(args) == 2 && strings.HasSuffix(parameterType(p, call, x.Text()), ".Context"):
					i = 1
				default:
					continue
				}
				url := args[i]
				if !requestFlow(p).Tainted(url) || ownPath(p, url) || p.Method(url) == "String" || hostFixed(p, url) || !requestFlow(p).Tainted(operands(url)[0]) {
					continue
				}
				if scope := strings.ToLower(p.Scope(call).Text()); strings.Contains(scope, "hasprefix") || strings.Contains(scope, "valid") || strings.Contains(scope, "allowed") || strings.Contains(scope, "url.parse(") {
					continue
				}
				p.Report(call, "the address is "+oneLine(url))
			}
		},
	}
}

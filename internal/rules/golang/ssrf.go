package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ssrf looks for requests sent to an address the client chose. A value that
// only fills a path after a constant host is left alone.
func ssrf() rule.Rule {
	return rule.Rule{
		ID: "go/ssrf", Title: "Server sends a request to an address taken from the client",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The client decides where the server connects, so it can reach hosts only the server sees: cloud metadata at 169.254.169.254, admin ports on localhost, other machines of the network.",
		Suggestion:  "Compare the parsed host with a list of allowed hosts, or use a client whose DialContext refuses private and loopback addresses.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"net/http\"\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\tresp, err := http.Get(r.URL.Query().Get(\"url\"))\n\tif err != nil {\n\t\treturn\n\t}\n\tdefer resp.Body.Close()\n}\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\thost := r.FormValue(\"host\")\n\treq, err := http.NewRequestWithContext(r.Context(), \"GET\", \"http://\"+host+\"/status\", nil)\n\t_, _ = req, err\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"net/http\"\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\tresp, err := http.Get(\"https://api.example.com/users/\" + r.PathValue(\"id\"))\n\tif err != nil {\n\t\treturn\n\t}\n\tdefer resp.Body.Close()\n}\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nvar allowed = map[string]bool{}\n\nfunc proxy(w http.ResponseWriter, r *http.Request) {\n\tu := r.FormValue(\"url\")\n\tif !isAllowed(u) {\n\t\treturn\n\t}\n\tresp, _ := http.Get(u)\n\tdefer resp.Body.Close()\n}\n\nfunc isAllowed(u string) bool { return allowed[u] }\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nfunc fetch(u string) (*http.Response, error) { return http.Get(u) }\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				i := 0
				switch {
				case callTo(p, call, "net/http", "Get", "Head", "Post", "PostForm"):
				case callTo(p, call, "net/http", "NewRequest"):
					i = 1
				case callTo(p, call, "net/http", "NewRequestWithContext"):
					i = 2
				default:
					continue
				}
				if i < len(args) && requestFlow(p).Tainted(args[i]) && !hostFixed(p, args[i]) {
					p.Report(call, "")
				}
			}
		},
	}
}

var hostInText = regexp.MustCompile(`^[a-z]+://[^/%]+/`)

// hostFixed tells whether an address begins with something the client does not
// choose: a literal scheme and host, or a value that is not request text.
func hostFixed(p *rule.Pass, n syntax.Node) bool {
	n = unparen(n)
	if n.Kind() == "identifier" {
		vs := values(p.Scope(n), n.Text())
		for _, v := range vs {
			if v.names != 1 || v.expr.Kind() == "identifier" || !hostFixed(p, v.expr) {
				return false
			}
		}
		return len(vs) > 0
	}
	if n.Kind() == "call_expression" && callTo(p, n, "fmt", "Sprintf") && len(p.Args(n)) > 1 {
		format, _, _ := p.String(p.Args(n)[0])
		return hostInText.MatchString(format) || strings.HasPrefix(format, "%s") && !requestFlow(p).Tainted(p.Args(n)[1])
	}
	first := operands(n)[0]
	if first == n {
		return false
	}
	if s, _, ok := p.String(first); ok {
		return hostInText.MatchString(s)
	}
	return !requestFlow(p).Tainted(first)
}

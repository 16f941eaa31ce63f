package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var htmlText = regexp.MustCompile(`(?i)<(html|body|div|p|a|h[1-6]|table|script|form|span|ul|li)\b`)

// textTemplate looks for HTML rendered by text/template into a response.
func textTemplate() rule.Rule {
	return rule.Rule{
		ID: "go/text-template-html", Title: "HTML response rendered with text/template",
		Category: "xss", CWE: "CWE-79", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "text/template inserts values as they are. A value with <script> in it becomes part of the page and runs in the reader's browser with the reader's session.",
		Suggestion:  "Import html/template instead; it has the same interface and escapes each value for the place where it stands.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"text/template\"\n)\n\nvar page = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\n\nfunc show(w http.ResponseWriter, r *http.Request) { page.Execute(w, r.FormValue(\"name\")) }\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"text/template\"\n)\n\nfunc show(w http.ResponseWriter, r *http.Request) {\n\tt, err := template.ParseFiles(\"views/index.html\")\n\tif err != nil {\n\t\treturn\n\t}\n\tt.Execute(w, r.FormValue(\"name\"))\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"html/template\"\n\t\"net/http\"\n)\n\nvar page = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\n\nfunc show(w http.ResponseWriter, r *http.Request) { page.Execute(w, r.FormValue(\"name\")) }\n"},
			{Source: "package a\n\nimport (\n\t\"io\"\n\t\"text/template\"\n)\n\nvar page = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\n\nfunc show(w io.Writer, v any) { page.Execute(w, v) }\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"text/template\"\n)\n\nvar conf = template.Must(template.New(\"c\").Parse(\"host = {{.}}\"))\n\nfunc show(w http.ResponseWriter, r *http.Request) { conf.Execute(w, r.Host) }\n"},
		},
		Check: func(p *rule.Pass) {
			if imported(p, "text/template") == "" || imported(p, "html/template") != "" {
				return
			}
			html := false
			for n := range p.Nodes("interpreted_string_literal", "raw_string_literal") {
				s, _, _ := p.String(n)
				html = html || htmlText.MatchString(s) || regexpHTMLFile.MatchString(s)
			}
			if !html {
				return
			}
			for _, call := range p.Calls() {
				_, name := method(call)
				args := p.Args(call)
				if (name == "Execute" && len(args) == 2 || name == "ExecuteTemplate" && len(args) == 3) &&
					args[0].Kind() == "identifier" && parameterType(p, call, args[0].Text()) == "http.ResponseWriter" {
					p.Report(call, "")
				}
			}
		},
	}
}

var regexpHTMLFile = regexp.MustCompile(`\.(html|gohtml|htm)$`)

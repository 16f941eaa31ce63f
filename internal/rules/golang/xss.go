package golang

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// xss looks for request text put between literal tags, or declared to be safe
// markup.
func xss() rule.Rule {
	return rule.Rule{
		ID: "go/xss", Title: "Request text written into HTML without escaping",
		Category: "xss", CWE: "CWE-79", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The value is parsed as markup. A link whose parameter holds <script> runs in the reader's browser with the reader's session.",
		Suggestion:  "Render through html/template, or pass the value through html.EscapeString.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\nfunc hi(w http.ResponseWriter, r *http.Request) {\n\tfmt.Fprintf(w, \"<h1>Hello %s</h1>\", r.FormValue(\"name\"))\n}\n"},
			{Source: "package a\n\nimport (\n\t\"html/template\"\n\t\"net/http\"\n)\n\nvar page = template.Must(template.New(\"p\").Parse(\"{{.}}\"))\n\nfunc hi(w http.ResponseWriter, r *http.Request) {\n\tpage.Execute(w, template.HTML(r.URL.Query().Get(\"text\")))\n}\n"},
			{Source: "package a\n\nimport \"net/http\"\n\nfunc hi(w http.ResponseWriter, r *http.Request) {\n\tname := r.FormValue(\"name\")\n\tw.Write([]byte(\"<p>\" + name + \"</p>\"))\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"html\"\n\t\"net/http\"\n)\n\nfunc hi(w http.ResponseWriter, r *http.Request) {\n\tfmt.Fprintf(w, \"<h1>Hello %s</h1>\", html.EscapeString(r.FormValue(\"name\")))\n}\n"},
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\nfunc hi(w http.ResponseWriter, r *http.Request) {\n\tfmt.Fprintf(w, \"hello %s\", r.FormValue(\"name\"))\n}\n"},
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc hi(name string) { fmt.Fprintf(os.Stdout, \"<b>%s</b>\", name) }\n"},
		},
		Check: func(p *rule.Pass) {
			if imported(p, "net/http", "html/template") == "" {
				return
			}
			tainted := func(n syntax.Node) bool { return requestFlow(p).Tainted(n) }
			for _, call := range p.Calls() {
				args := p.Args(call)
				switch {
				case callTo(p, call, "html/template", "HTML", "JS", "HTMLAttr", "URL") && len(args) == 1:
					if tainted(args[0]) {
						p.Report(call, "declared safe without being made so")
					}
					continue
				case callTo(p, call, "fmt", "Fprintf", "Fprint", "Fprintln"), callTo(p, call, "io", "WriteString"):
					if len(args) < 2 || !responseWriter(p, args[0]) {
						continue
					}
					args = args[1:]
				default:
					x, name := method(call)
					if name != "Write" || !responseWriter(p, x) {
						continue
					}
				}
				if slices.ContainsFunc(args, tainted) && slices.ContainsFunc(args, func(a syntax.Node) bool { return tagBefore(p, a) }) {
					p.Report(call, "")
				}
			}
		},
	}
}

var openTag = regexp.MustCompile(`<[a-zA-Z][a-zA-Z0-9]*[ >]`)

// tagBefore tells whether a literal in n opens a tag.
func tagBefore(p *rule.Pass, n syntax.Node) bool {
	s, _, ok := p.String(n)
	if ok && openTag.MatchString(s) {
		return true
	}
	for l := range n.Find("interpreted_string_literal", "raw_string_literal") {
		if s, _, _ := p.String(l); openTag.MatchString(s) {
			return true
		}
	}
	return false
}

func responseWriter(p *rule.Pass, n syntax.Node) bool {
	return n.Kind() == "identifier" && parameterType(p, n, n.Text()) == "http.ResponseWriter"
}

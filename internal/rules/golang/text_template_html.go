package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var htmlText = regexp.MustCompile(`(?i)<(html|body|div|p|a|h[1-6]|table|script|form|span|ul|li)\b`)

// TextTemplateHTML looks for HTML rendered by text/template into a response.
func (*checks) TextTemplateHTML(p *rule.Pass) {
	if imported(p, "text/template") == "" || imported(p, "html/template") != "" {
		return
	}
	html := false
	for _, n := range p.Nodes("interpreted_string_literal", "raw_string_literal") {
		s, _, _ := p.String(n)
		html = html || htmlText.MatchString(s) || regexpHTMLFile.MatchString(s)
	}
	if !html {
		return
	}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		_, name := method(call)
		args := p.Args(call)
		return (name == "Execute" && len(args) == 2 || name == "ExecuteTemplate" && len(args) == 3) &&
			args[0].Kind() == "identifier" && parameterType(p, call, args[0].Text()) == "http.ResponseWriter"
	})
}

var regexpHTMLFile = regexp.MustCompile(`\.(html|gohtml|htm)$`)

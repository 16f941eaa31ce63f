package golang

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// XSS looks for request text put between literal tags, or declared to be safe
// markup.
func (*checks) XSS(p *rule.Pass) {
	if imported(p, "net/http", "html/template") == "" {
		return
	}
	tainted := func(n rule.Node) bool { return requestFlow(p).Tainted(n) }
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
		if slices.ContainsFunc(args, tainted) && slices.ContainsFunc(args, func(a rule.Node) bool { return tagBefore(p, a) }) {
			p.Report(call, "")
		}
	}
}

var openTag = regexp.MustCompile(`<[a-zA-Z][a-zA-Z0-9]*[ >]`)

// tagBefore tells whether a literal in n opens a tag.
func tagBefore(p *rule.Pass, n rule.Node) bool {
	return rule.Within(n, func(l rule.Node) bool {
		s, _, _ := p.String(l)
		return openTag.MatchString(s)
	})
}

func responseWriter(p *rule.Pass, n rule.Node) bool {
	return n.Kind() == "identifier" && parameterType(p, n, n.Text()) == "http.ResponseWriter"
}

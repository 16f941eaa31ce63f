package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnescapedMarkup(p *rule.Pass) {
	flow := markupFlow(p)
	for _, call := range p.Calls() {
		name := callee(p, call)
		at := p.Arg(call, 0)
		switch rule.LastName(name) {
		case "make_response", "HttpResponse", "HTMLResponse":
			if parts, built := pieces(p, at); built && strings.Contains(parts[0].text, "<") {
				for _, q := range parts {
					if q.node.Valid() && flow.Tainted(q.node) && !strings.Contains(q.node.Text(), "escape") {
						p.Report(call, "")
						break
					}
				}
			}
		case "mark_safe", "Markup", "SafeString":
			parts, built := pieces(p, at)
			if !built {
				if flow.Tainted(at) {
					p.Report(call, "")
				}
				continue
			}
			for _, q := range parts {
				if q.node.Valid() && (flow.Tainted(q.node) ||
					q.node.Kind() == "identifier" && parameter(p, q.node) && !safeMarkupName.MatchString(q.node.Text())) {
					p.Report(call, q.node.Text()+" is not escaped")
					break
				}
			}
		}
	}
}

// markupFlow follows requests' data up to what makes HTML or addresses of it.
func markupFlow(p *rule.Pass) *rule.Flow {
	return follow(p, "python.markup", rule.Taint{Sanitizer: func(_ rule.Node, name string) bool {
		return rule.OneOf(rule.LastName(name), "escape", "conditional_escape", "format_html", "urlencode", "quote", "quote_plus", "clean",
			"isoformat", "strip_tags", "dumps")
	}})
}

// safeMarkupName matches names that say markup, or something that holds none.
var safeMarkupName = regexp.MustCompile(`(?i)html|markup|safe|escaped|content|body|attrs|rendered|icon|class|tag|css|output|` +
	`widget|svg|children|(^|_)id($|_)`)

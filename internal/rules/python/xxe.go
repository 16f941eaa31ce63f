package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) XXE(p *rule.Pass) {
	parse := regexp.MustCompile(`^lxml\.etree\.(fromstring|XML|parse)$`)
	for _, call := range p.Calls() {
		name := callee(p, call)
		switch {
		case name == "lxml.etree.XMLParser":
			if p.Keyword(call, "resolve_entities").Text() == "True" || p.Keyword(call, "no_network").Text() == "False" {
				p.Report(call, "")
			}
		case parse.MatchString(name):
			if len(p.Args(call)) == 1 && !p.Keyword(call, "parser").Valid() && p.Untrusted(p.Arg(call, 0)) {
				p.ReportAs(call, "medium", "the document comes from a request; lxml before 5.0 resolves entities by default")
			}
		case rule.LastName(name) == "setFeature":
			if rule.LastName(p.Arg(call, 0).Text()) == "feature_external_ges" && p.Arg(call, 1).Text() == "True" {
				p.Report(call, "")
			}
		}
	}
}

package template

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) URLAttribute(p *rule.Pass) {
	page := pageOf(p)
	if page == nil || page.dialect.contextual {
		return
	}
	for _, o := range page.outputs {
		if !o.raw && runsAddress(o.spot) && o.inPage() && page.judge(o.expr) == sent {
			p.ReportLine(o.line, quoted(o.expr))
		}
	}
}

// runsAddress: a javascript: address in this attribute would be run.
func runsAddress(s spot) bool {
	if !s.whole {
		return false
	}
	switch s.attr {
	case "href":
		return s.tag == "a" || s.tag == "area"
	case "src":
		return s.tag == "iframe" || s.tag == "embed"
	case "action", "formaction":
		return true
	}
	return false
}

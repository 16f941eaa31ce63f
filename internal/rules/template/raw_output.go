package template

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) RawOutput(p *rule.Pass) {
	page := pageOf(p)
	if page == nil {
		return
	}
	for _, o := range page.outputs {
		if o.raw && o.inPage() {
			report(p, o, page.judge(o.expr))
		}
	}
}

// inPage: the value goes into the page, not into a comment or to a tag of a library, which escapes by itself.
func (o output) inPage() bool {
	return o.spot.place != inComment && (o.spot.attr == "" || !strings.Contains(o.spot.tag, ":"))
}

// report says whose text a value is by the severity: what users write is grave, what a database holds may be.
func report(p *rule.Pass, o output, whose trust) {
	switch whose {
	case users, sent:
		p.ReportLine(o.line, quoted(o.expr))
	case stored:
		p.ReportLineAs(o.line, "medium", quoted(o.expr))
	}
}

func quoted(expr string) string { return strings.TrimSpace(expr) + " is put in" }

package template

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) AutoescapeOff(p *rule.Pass) {
	page := pageOf(p)
	if page == nil {
		return
	}
	for _, part := range page.off {
		if !part.markup {
			continue
		}
		worst, said := unknown, output{}
		for _, o := range page.outputs {
			if !o.off || o.raw || o.line < part.first || o.line > part.last || !o.inPage() || escapedHere.MatchString(o.expr) {
				continue
			}
			if whose := page.judge(o.expr); whose > worst {
				worst, said = whose, o
			}
		}
		said.line = part.first
		report(p, said, worst)
	}
}

var escapedHere = regexp.MustCompile(`\|\s*(e|escape|force_escape|escapejs|urlencode|tojson)\b`)

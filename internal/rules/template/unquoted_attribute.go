package template

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) UnquotedAttribute(p *rule.Pass) {
	page := pageOf(p)
	if page == nil || page.dialect.contextual {
		return
	}
	for _, o := range page.outputs {
		if s := o.spot; !o.raw && s.place == inUnquoted && !s.script && s.attr != "" && o.inPage() && page.judge(o.expr) != unknown {
			p.ReportLine(o.line, quoted(o.expr))
		}
	}
}

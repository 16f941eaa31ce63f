package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReflectedXSS(p *rule.Pass) {
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		text := rule.Node{}
		switch p.Method(call) {
		case "html_safe":
			text = receiver(call)
		case "raw":
			if !receiver(call).Valid() {
				text = p.Arg(call, 0)
			}
		case "render":
			text = p.Keyword(call, "inline")
		}
		return text.Valid() && tainted(p, text)
	})
}

package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReflectedXSS(p *rule.Pass) {
	for _, call := range p.Calls() {
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
		if text.Valid() && tainted(p, text) {
			p.Report(call, "")
		}
	}
}

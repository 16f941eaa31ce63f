package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// AutoescapeOff looks for template engines that are told to put values into pages as they are.
func (*checks) AutoescapeOff(p *rule.Pass) {
	for _, call := range append(p.Calls(), p.News()...) {
		switch p.Callee(call) {
		case "swig.setDefaults", "swig.Swig", "nunjucks.configure", "nunjucks.Environment", "expressNunjucks":
		default:
			continue
		}
		for _, a := range p.Args(call) {
			if v := property(p, a, "autoescape"); v.Text() == "false" {
				p.Report(v.Parent(), "")
			}
		}
	}
}

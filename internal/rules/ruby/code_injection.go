package ruby

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CodeInjection(p *rule.Pass) {
	evals := []string{"eval", "instance_eval", "class_eval", "module_eval", "send", "public_send", "__send__",
		"instance_variable_get", "const_get"}
	for _, call := range p.Calls() {
		m := p.Method(call)
		code := first(p, call)
		switch {
		case slices.Contains(evals, m):
			if m == "send" && !receiver(call).Valid() && len(p.Args(call)) == 0 {
				continue
			}
		case m == "constantize" || m == "safe_constantize":
			code = receiver(call)
		default:
			continue
		}
		if !code.Valid() || m != "eval" && p.IsString(code) || !tainted(p, code) || enumerated(p, call, code) {
			continue
		}
		p.Report(call, "")
	}
}

// enumerated tells whether a list, a case or a pattern confines what n may be.
func enumerated(p *rule.Pass, call, n rule.Node) bool {
	around := p.Scope(call)
	known := regexp.MustCompile(`include\?|when\s|=~|match\?|respond_to\?|key\?|member\?|\.in\?|allowed|valid|permitted|\s<=?\s+[A-Z:]`)
	if around.Kind() == "program" {
		return known.MatchString(call.Enclosing("if", "if_modifier", "case", "unless", "unless_modifier", "do_block").Text())
	}
	return known.MatchString(around.Text())
}

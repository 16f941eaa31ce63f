package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CodeInjection(p *rule.Pass) {
	evals := []string{"eval", "instance_eval", "class_eval", "module_eval", "send", "public_send", "__send__",
		"instance_variable_get", "const_get", "constantize", "safe_constantize"}
	p.ReportWhere(p.MethodCalls(evals...), func(call rule.Node) bool {
		m := p.Method(call)
		code := p.Arg(call, 0)
		if rule.OneOf(m, "constantize", "safe_constantize") {
			code = receiver(call)
		}
		return (m == "eval" || !p.IsString(code)) && tainted(p, code) && !enumerated(p, call)
	})
}

// enumerated tells whether a list, a case or a pattern confines what the call is given.
func enumerated(p *rule.Pass, call rule.Node) bool {
	scope := p.Scope(call)
	known := regexp.MustCompile(`include\?|when\s|=~|match\?|respond_to\?|key\?|member\?|\.in\?|allowed|valid|permitted|\s<=?\s+[A-Z:]`)
	if scope.Kind() == "program" {
		return known.MatchString(call.Enclosing("if", "if_modifier", "case", "unless", "unless_modifier", "do_block").Text())
	}
	return known.MatchString(scope.Text())
}

package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ErrorHandler(p *rule.Pass) {
	p.ReportWhere(callsTo(p, "errorhandler", "", "default"), func(call rule.Node) bool {
		configured := rule.Any(rule.Around(call, "call_expression"), func(up rule.Node) bool {
			_, name := method(up)
			return name == "configure" // app.configure("development", ...)
		})
		return !configured && !inCondition(call) && !call.Enclosing("switch_case").Valid()
	})
}

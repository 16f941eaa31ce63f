package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CommandInjection(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec"), func(call rule.Node) bool {
		return tainted(p, p.Arg(call, 0))
	})
	p.ReportWhere(p.Nodes("shell_command_expression"), func(n rule.Node) bool {
		return rule.Any(n.NamedChildren(), func(c rule.Node) bool { return c.Kind() != "string_content" && tainted(p, c) })
	})
}

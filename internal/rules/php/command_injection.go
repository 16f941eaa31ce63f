package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CommandInjection(p *rule.Pass) {
	for _, call := range p.CallsTo("exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec") {
		if tainted(p, p.Arg(call, 0)) {
			p.Report(call, "")
		}
	}
	for _, n := range p.Nodes("shell_command_expression") {
		if rule.Any(n.NamedChildren(), func(c rule.Node) bool { return c.Kind() != "string_content" && tainted(p, c) }) {
			p.Report(n, "")
		}
	}
}

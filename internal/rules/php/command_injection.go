package php

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	shells := []string{"exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec"}
	for _, call := range p.Calls() {
		if call.Kind() == "function_call_expression" && slices.Contains(shells, p.Callee(call)) && tainted(p, p.Arg(call, 0)) {
			p.Report(call, "")
		}
	}
	for _, n := range p.Nodes("shell_command_expression") {
		for c := range n.NamedChildren() {
			if c.Kind() != "string_content" && tainted(p, c) {
				p.Report(n, "")
				break
			}
		}
	}
}

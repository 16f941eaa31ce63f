package kotlin

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	for _, c := range p.Calls() {
		list := c
		if p.Method(c) == "exec" && p.IsCall(p.Arg(c, 0)) {
			list = p.Arg(c, 0)
		} else if p.Callee(c) != "ProcessBuilder" {
			continue
		}
		shell, _, _ := p.String(p.Arg(list, 0))
		option, _, _ := p.String(p.Arg(list, 1))
		if rule.OneOf(shell, "sh", "bash", "/bin/sh", "/bin/bash", "cmd", "cmd.exe", "su") && rule.OneOf(option, "-c", "/c", "/C") &&
			built(p, p.Arg(list, 2)) != "" && p.IsString(value(p, p.Arg(list, 2))) {
			p.Report(c, "")
		}
	}
}

package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	p.ReportWhere(p.MethodCalls("exec"), func(call rule.Node) bool {
		runtime := simple(p.Dotted(value(p, receiver(call)))) == "Runtime.getRuntime" || isOf(p, receiver(call), "Runtime")
		command := value(p, p.Arg(call, 0))
		return runtime && (shellText(p, command) || input(p).Tainted(command))
	})
	p.ReportWhere(p.MethodCalls("command"), func(call rule.Node) bool {
		return isOf(p, receiver(call), "ProcessBuilder") && input(p).AnyTainted(p.Args(call))
	})
	p.ReportWhere(p.News(), func(n rule.Node) bool {
		return callee(p, n) == "ProcessBuilder" && (shellText(p, n) || input(p).Tainted(p.Arg(n, 0)))
	})
}

// shellText tells whether n lists a shell, -c and a concatenation with a String variable in it.
func shellText(p *rule.Pass, n rule.Node) bool {
	var words []rule.Node
	if n.Kind() == "object_creation_expression" {
		words = p.Args(n)
		if len(words) == 1 {
			n = value(p, words[0])
		}
	}
	if n.Kind() == "array_creation_expression" {
		n = n.ChildByField("value")
	}
	if n.Kind() == "array_initializer" {
		words = n.Statements()
	}
	if len(words) < 3 {
		return false
	}
	shell, _, _ := p.String(words[0])
	option, _, _ := p.String(words[1])
	if !rule.OneOf(shell, "sh", "bash", "/bin/sh", "/bin/bash", "cmd", "cmd.exe") ||
		option != "-c" && option != "/c" && option != "/C" {
		return false
	}
	pieces := parts(value(p, words[2]))
	return len(pieces) > 1 && slices.ContainsFunc(pieces,
		func(n rule.Node) bool { return typeOf(p, n, n.Text()) == "String" && !p.Constant(n) })
}

package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("system", "popen"), func(call rule.Node) bool {
		command := rule.Bare(p.Arg(call, 0))
		function := p.Function(call)
		vars := variables(p, function)
		v, ok := vars[command.Text()]
		return command.Is("identifier") && ok && !v.param && builtFrom(p, function, call, v.name, vars) ||
			command.Valid() && !command.Is("identifier") && outside(p, vars, command)
	})
}

// builtFrom tells whether the last text written to the buffer before the call has a part from outside, unquoted by a
// function whose name says so.
func builtFrom(p *rule.Pass, function, call rule.Node, buffer string, vars map[string]variable) bool {
	found := false
	for c := range function.Find("call_expression") {
		name := p.Callee(c)
		if strings.Contains(strings.ToLower(name), "quote") || strings.Contains(strings.ToLower(name), "escape") {
			return false
		}
		args := p.Args(c)
		if c.Start() >= call.Start() || len(args) == 0 || rule.Bare(args[0]).Text() != buffer {
			continue
		}
		switch name {
		case "snprintf":
			args = args[min(3, len(args)):] // behind the size and the format
		case "sprintf", "asprintf":
			args = args[min(2, len(args)):]
		case "strcpy", "strcat", "strncpy", "strncat":
			args = args[1:]
		default:
			continue
		}
		found = found || slices.ContainsFunc(args, func(a rule.Node) bool { return outside(p, vars, a) })
	}
	return found
}

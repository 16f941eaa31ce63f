package golang

import (
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CommandInjection looks for shell command lines with values in them. A script
// handed over whole (sh -c script) is left alone unless it came from a request:
// running a given script is what many programs are for.
func (*checks) CommandInjection(p *rule.Pass) {
	for _, call := range callsTo(p, "os/exec", "Command", "CommandContext") {
		args := p.Args(call)
		if p.Method(call) == "CommandContext" {
			args = args[min(1, len(args)):]
		}
		if len(args) > 0 && requestFlow(p).Tainted(args[0]) {
			p.ReportAs(call, "critical", "the program to run comes from the request")
			continue
		}
		if line := shellLine(p, args); line.Valid() {
			if part, ok := commandPart(p, line); ok {
				severity := "high"
				if requestFlow(p).Tainted(line) {
					severity = "critical"
				}
				p.ReportAs(call, severity, "the command line holds "+rule.FirstLine(part))
			}
		}
	}
}

// shellLine is the script argument of a call that starts a shell with -c.
func shellLine(p *rule.Pass, args []rule.Node) rule.Node {
	if len(args) < 3 {
		return rule.Node{}
	}
	shell, _, _ := p.String(args[0])
	flag, _, _ := p.String(args[1])
	shell = strings.TrimSuffix(strings.ToLower(path.Base(shell)), ".exe")
	if rule.OneOf(shell, "sh", "bash", "zsh", "dash", "ash", "ksh") && strings.HasPrefix(flag, "-") &&
		strings.HasSuffix(flag, "c") ||
		shell == "cmd" && strings.EqualFold(flag, "/c") {
		return args[2]
	}
	return rule.Node{}
}

// commandPart gives the value inserted into a command line.
func commandPart(p *rule.Pass, line rule.Node) (rule.Node, bool) {
	if requestFlow(p).Tainted(line) {
		return line, true
	}
	if line.Kind() == "identifier" {
		for _, v := range values(p.Scope(line), line.Text()) {
			if v.stmt.Start() < line.Start() && v.names == 1 {
				if part, ok := dynamicText(p, v.expr); ok {
					return part, true
				}
			}
		}
		return line, false
	}
	return dynamicText(p, line)
}

package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// commandInjection looks for shell command lines with values in them. A script
// handed over whole (sh -c script) is left alone unless it came from a request:
// running a given script is what many programs are for.
func commandInjection() rule.Rule {
	return rule.Rule{
		ID: "go/command-injection", Title: "Shell command line built from text that is not constant",
		Category: "injection", CWE: "CWE-78", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The text goes through a shell, which acts on ;, |, $() and backticks inside the inserted value: whoever controls that value runs any command as this process.",
		Suggestion:  "Run the program itself without a shell, each argument its own string: exec.Command(\"tar\", \"-xf\", name). Where a pipe is needed, connect two commands' Stdout and Stdin.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"os/exec\"\n)\n\nfunc ping(host string) ([]byte, error) {\n\treturn exec.Command(\"sh\", \"-c\", fmt.Sprintf(\"ping -c 1 %s\", host)).Output()\n}\n"},
			{Source: "package a\n\nimport (\n\t\"context\"\n\t\"os/exec\"\n)\n\nfunc unpack(ctx context.Context, name string) error {\n\tline := \"tar -xf \" + name\n\treturn exec.CommandContext(ctx, \"/bin/bash\", \"-c\", line).Run()\n}\n"},
			{Source: "package a\n\nimport (\n\t\"net/http\"\n\t\"os/exec\"\n)\n\nfunc run(w http.ResponseWriter, r *http.Request) {\n\tout, _ := exec.Command(r.FormValue(\"tool\"), \"--version\").Output()\n\tw.Write(out)\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"os/exec\"\n\nfunc ping(host string) ([]byte, error) {\n\treturn exec.Command(\"ping\", \"-c\", \"1\", host).Output()\n}\n"},
			{Source: "package a\n\nimport \"os/exec\"\n\nfunc disk() ([]byte, error) {\n\treturn exec.Command(\"sh\", \"-c\", \"df -h | tail -n 1\").Output()\n}\n"},
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"os/exec\"\n)\n\nfunc wait(seconds int) error {\n\treturn exec.Command(\"sh\", \"-c\", fmt.Sprintf(\"sleep %d\", seconds)).Run()\n}\n"},
			{Source: "package a\n\nimport \"os/exec\"\n\nfunc task(script string) error {\n\treturn exec.Command(\"sh\", \"-c\", script).Run()\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				switch {
				case callTo(p, call, "os/exec", "Command"):
				case callTo(p, call, "os/exec", "CommandContext"):
					args = args[min(1, len(args)):]
				default:
					continue
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
						p.ReportAs(call, severity, "the command line holds "+oneLine(part))
					}
				}
			}
		},
	}
}

// shellLine is the script argument of a call that starts a shell with -c.
func shellLine(p *rule.Pass, args []syntax.Node) syntax.Node {
	if len(args) < 3 {
		return syntax.Node{}
	}
	shell, _, _ := p.String(args[0])
	flag, _, _ := p.String(args[1])
	shell = strings.TrimSuffix(strings.ToLower(path.Base(shell)), ".exe")
	if slices.Contains([]string{"sh", "bash", "zsh", "dash", "ash", "ksh"}, shell) && strings.HasPrefix(flag, "-") && strings.HasSuffix(flag, "c") ||
		shell == "cmd" && strings.EqualFold(flag, "/c") {
		return args[2]
	}
	return syntax.Node{}
}

// commandPart gives the value inserted into a command line.
func commandPart(p *rule.Pass, line syntax.Node) (syntax.Node, bool) {
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

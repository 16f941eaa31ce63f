package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func commandInjection() rule.Rule {
	return rule.Rule{
		ID: "c/command-injection", Title: "a shell command is built from text that comes from outside",
		Category: "injection", CWE: "CWE-78", Severity: "high", Confidence: 0.75,
		Languages: []string{"c"},
		Explanation: "system and popen hand the text to /bin/sh. A semicolon, backtick or $( ) in the part that comes from the caller, the command line or " +
			"the environment starts another command with this program's rights.",
		Suggestion: "Call fork and execvp (or posix_spawn) with the arguments in an array; no shell, no quoting.",
		Bad: []rule.Sample{
			{Source: "int ping(const char *host) {\n    char cmd[200];\n    snprintf(cmd, sizeof cmd, \"ping -c1 %s\", host);\n    return system(cmd);\n}\n"},
			{Source: "int main(int argc, char **argv) {\n    return system(argv[1]);\n}\n"},
			{Source: "FILE *pager(void) {\n    char cmd[300];\n    sprintf(cmd, \"%s /etc/motd\", getenv(\"READER\"));\n    return popen(cmd, \"w\");\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int clear(void) {\n    return system(\"clear\");\n}\n"},
			{Source: "int ping(int n) {\n    char cmd[200];\n    snprintf(cmd, sizeof cmd, \"ping -c%d localhost\", n);\n    return system(cmd);\n}\n"},
			{Source: "int run(const char *cmd) {\n    return system(cmd);\n}\n"},
			{Source: "int ping(const char *host) {\n    char log[200];\n    snprintf(log, sizeof log, \"ping %s\", host);\n    puts(log);\n    return system(\"ping localhost\");\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				command := bare(p.Arg(call, 0))
				if !slices.Contains([]string{"system", "popen"}, p.Callee(call)) || !command.Valid() {
					continue
				}
				function := p.Function(call)
				vars := variables(p, function)
				if command.Kind() != "identifier" {
					if outside(p, vars, command) {
						p.Report(call, "")
					}
					continue
				}
				if v, ok := vars[command.Text()]; ok && !v.param && builtFrom(p, function, call, v.name, vars) {
					p.Report(call, "")
				}
			}
		},
	}
}

// builtFrom tells whether the last text written to the buffer before the call has a part from outside, unquoted by a
// function whose name says so.
func builtFrom(p *rule.Pass, function, call syntax.Node, buffer string, vars map[string]variable) bool {
	found := false
	for c := range function.Find("call_expression") {
		name := p.Callee(c)
		if strings.Contains(strings.ToLower(name), "quote") || strings.Contains(strings.ToLower(name), "escape") {
			return false
		}
		args := p.Args(c)
		if c.Start() >= call.Start() || len(args) == 0 || bare(args[0]).Text() != buffer {
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
		if slices.ContainsFunc(args, func(a syntax.Node) bool { return outside(p, vars, a) }) {
			found = true
		}
	}
	return found
}

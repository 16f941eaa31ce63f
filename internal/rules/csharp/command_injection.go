package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var commandShell = regexp.MustCompile(`(?i)^@?"(.*[/\\])?(cmd|cmd\.exe|sh|bash|zsh|powershell|powershell\.exe)"$`)

func (*checks) CommandInjection(p *rule.Pass) {
	starts := append(p.CallsTo("Process.Start", "System.Diagnostics.Process.Start"),
		rule.Where(p.News(), func(n rule.Node) bool { return p.Callee(n) == "ProcessStartInfo" })...)
	for _, c := range starts {
		text := strings.ToLower(built(p, p.Arg(c, 1)))
		if commandShell.MatchString(p.Arg(c, 0).Text()) && strings.Contains(text, "{}") && (strings.HasPrefix(text, "/c") ||
			strings.HasPrefix(text, "-c")) {
			p.Report(c, "")
		}
	}
}

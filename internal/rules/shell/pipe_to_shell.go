package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	pipePlain = regexp.MustCompile(`http://([\w.\-]+)`)
	pipeLocal = regexp.MustCompile(`^(localhost|127\.|10\.|192\.168\.|169\.254\.|host\.|metadata)`)
)

func (*checks) PipeToShell(p *rule.Pass) {
	for _, line := range p.Nodes("pipeline") {
		first := line.NamedChild(0)
		last := line.NamedChild(line.NumNamed() - 1)
		if !first.Is("command") || !last.Is("command") {
			continue
		}
		to := words(last)
		if len(to) > 1 && to[0].Text() == "sudo" {
			to = to[1:]
		}
		from := words(first)
		if len(to) == 0 || len(from) < 2 || !rule.OneOf(to[0].Text(), "sh", "bash", "zsh", "python", "python3", "perl") ||
			!rule.OneOf(from[0].Text(), "curl", "wget") || len(to) > 1 && rule.OneOf(to[1].Text(), "-c", "-m", "-n", "-e") {
			continue
		}
		m := pipePlain.FindStringSubmatch(first.Text())
		open := from[0].Text() == "curl" && flag(first, "k", "--insecure") || flag(first, "\x00", "--no-check-certificate")
		if m != nil && !pipeLocal.MatchString(m[1]) || m == nil && open && strings.Contains(first.Text(), "https://") {
			p.Report(line, "")
		}
	}
}

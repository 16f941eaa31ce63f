package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PredictableTempFile(p *rule.Pass) {
	for _, n := range p.Nodes("file_redirect") {
		if to := n.ChildByField("destination"); strings.Contains(n.Text(), ">") && guessed(to) {
			p.Report(n, "")
		}
	}
	text := strings.Join(p.Lines(), "\n")
	for _, n := range p.Nodes("variable_assignment") {
		name := n.ChildByField("name").Text()
		if guessed(n.ChildByField("value")) && strings.Contains(text, "> ") && regexp.MustCompile(`>>?\s*"?\$\{?`+name+`\}?("|\s|`+
			`$)`).MatchString(text) &&
			!regexp.MustCompile(`(mkdir|mktemp|set -[a-zA-Z]*C|noclobber)`).MatchString(text) {
			p.Report(n, "")
		}
	}
}

func guessed(n rule.Node) bool {
	t := bare(n)
	return (strings.HasPrefix(t, "/tmp/") || strings.HasPrefix(t, "/var/tmp/")) && strings.Contains(t, "$$") && strings.Count(t, "/") <= 3
}

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
	if p.FileHas(unpredictable) {
		return
	}
	written := rule.Memo(p, "shell.written", func() map[string]bool {
		all := map[string]bool{}
		for _, m := range writtenTo.FindAllStringSubmatch(p.Tree.Root().Text(), -1) {
			all[m[1]] = true
		}
		return all
	})
	for _, n := range p.Nodes("variable_assignment") {
		if guessed(n.ChildByField("value")) && written[n.ChildByField("name").Text()] {
			p.Report(n, "")
		}
	}
}

var (
	unpredictable = regexp.MustCompile(`mkdir|mktemp|set -[a-zA-Z]*C|noclobber`)
	writtenTo     = regexp.MustCompile(`>\s*"?\$\{?(\w+)\}?(?:"|\s|$)`)
)

func guessed(n rule.Node) bool {
	t := bare(n)
	return (strings.HasPrefix(t, "/tmp/") || strings.HasPrefix(t, "/var/tmp/")) && strings.Contains(t, "$$") && strings.Count(t, "/") <= 3
}

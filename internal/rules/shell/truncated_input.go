package shell

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TruncatedInput(p *rule.Pass) {
	commands := map[rule.Node][]rule.Node{}
	for _, c := range p.Nodes("command") {
		s := c.Enclosing("command_substitution", "redirected_statement")
		commands[s] = append(commands[s], c)
	}
	for _, s := range p.Nodes("redirected_statement") {
		to := s.ChildByField("redirect")
		dest := bare(to.ChildByField("destination"))
		if !strings.HasPrefix(to.Text(), ">") || strings.HasPrefix(to.Text(), ">>") || strings.HasPrefix(to.Text(), ">&") || dest == "" ||
			strings.HasPrefix(dest, "/dev/") || strings.Contains(dest, "$(") {
			continue
		}
		for _, c := range commands[s] {
			w := words(c)
			if len(w) < 2 || !rule.OneOf(w[0].Text(), "cat", "sort", "sed", "grep", "awk", "tr", "jq", "uniq", "head", "tail", "cut") {
				continue
			}
			operands := w[1:]
			if rule.OneOf(w[0].Text(), "grep", "sed", "awk", "jq") && len(operands) > 0 {
				operands = operands[1:]
			}
			if slices.ContainsFunc(operands, func(n rule.Node) bool { return bare(n) == dest }) {
				p.Report(s, dest)
				break
			}
		}
	}
}

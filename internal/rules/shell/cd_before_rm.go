package shell

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CdBeforeRm(p *rule.Pass) {
	if p.FileHas(errexit) {
		return
	}
	for _, c := range commands(p, "cd") {
		w := words(c)
		next := c.NextSibling()
		for next.Valid() && !next.Named() {
			next = next.NextSibling()
		}
		if len(w) != 2 || strings.HasPrefix(w[1].Text(), "..") || rule.OneOf(w[1].Text(), "-", "~", "/", "$HOME") ||
			!next.Is("command") || c.Parent().Is("list") ||
			c.Parent().Is("if_statement") {
			continue
		}
		rm := words(next)
		if len(rm) > 1 && rm[0].Text() == "rm" && slices.ContainsFunc(rm[1:], func(n rule.Node) bool {
			return rule.OneOf(bare(n), "*", "./*", ".") || strings.HasPrefix(n.Text(), "*.")
		}) {
			p.Report(next, "after cd "+w[1].Text())
		}
	}
}

package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var unspaced = regexp.MustCompile(`^\[\[? "?\$\{?\w+\}?"?(==?|!=)"?[\w$ .\-]*"? \]\]?$`)

func (*checks) UnspacedComparison(p *rule.Pass) {
	for _, t := range p.Nodes("test_command") {
		text := t.Text()
		if unspaced.MatchString(text) && len(strings.Fields(strings.Trim(text, "[] "))) == 1 {
			p.Report(t, "")
		}
	}
}

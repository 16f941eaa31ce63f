package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LineAnchors(p *rule.Pass) {
	for _, call := range p.CallsTo("validates", "validates_format_of") {
		for n := range call.Find("regex") {
			text := strings.TrimPrefix(strings.TrimPrefix(n.Text(), "/"), "%r{")
			if pair := n.Parent(); pair.Kind() == "pair" && strings.Trim(pair.ChildByField("key").Text(), ":") == "with" &&
				strings.HasPrefix(text, "^") {
				p.Report(n, "")
			}
		}
	}
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// EvalLiteral runs what was only to be read.
func (operators) EvalLiteral(s *source) []plant.Site {
	var all []plant.Site
	for _, c := range s.nodes("call") {
		if method(c) != "literal_eval" || len(args(c)) != 1 || strings.Contains(s.text, "ast.parse(") { // parsed nodes are no text
			continue
		}
		all = append(all, plant.Site{Edits: []plant.Edit{s.replace(c.ChildByField("function"), "eval")}, Description: say(
			"%s evaluates `%s` as Python instead of reading a literal: whoever writes it runs any code.", where(c), short(args(c)[0]))})
	}
	return all
}

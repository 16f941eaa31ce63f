package python

import (
	"regexp"
	"strings"
)

var verifies = regexp.MustCompile(`(?i)^_?(verify|verified|verifies|genuine|authentic|is_?valid|valid|matches|check|checks|checked|` +
	`trusted|is_trusted|confirms?|allows|accepts)(_\w+)?$`)

// ResultIgnored asks whether something is genuine and does not listen to the answer.
func (*operators) ResultIgnored(s *source) {
	for _, n := range s.nodes("if_statement") {
		cond := n.ChildByField("condition")
		asked := cond.ChildByField("argument")
		if _, ok := guard(n); !ok || !s.alone(n) || cond.Kind() != "not_operator" || asked.Kind() != "call" ||
			!verifies.MatchString(method(asked)) || strings.HasPrefix(method(asked), "valid") || lines(asked.Text()) > 6 {
			continue
		}
		s.Report(s.Replace(n, asked.Text()),
			"%s calls %s and ignores its answer: what it refuses is taken all the same.", where(n), callee(asked))
	}
}

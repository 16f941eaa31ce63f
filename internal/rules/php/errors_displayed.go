package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var notVisited = regexp.MustCompile(`_(cli|bin|console|test|tests|dev|debug|install|installer|setup|tools?|scripts?|build|cron|local)_`)

func (*checks) ErrorsDisplayed(p *rule.Pass) {
	if notVisited.MatchString(rule.Words(p.Path)) || strings.HasPrefix(p.Lines()[0], "#!") ||
		strings.Contains(p.Tree.Root().Text(), "PHP_SAPI") {
		return
	}
	p.ReportWhere(p.CallsTo("ini_set"), func(call rule.Node) bool {
		s, _, _ := p.String(p.Arg(call, 0))
		return s == "display_errors" && rule.OneOf(strings.ToLower(strings.Trim(p.Arg(call, 1).Text(), `"'`)), "1", "true", "on") &&
			!call.Enclosing("if_statement", "switch_statement", "match_expression", "conditional_expression").Valid() && !p.Function(call).Valid()
	})
}

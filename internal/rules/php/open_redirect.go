package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.Calls() {
		text := p.Arg(call, 0)
		if p.Callee(call) != "header" || !text.Valid() || !openRedirectLocation.MatchString(head(p, text)) {
			continue
		}
		parts := operands(p, text)
		if len(parts) == 0 || strings.HasPrefix(value(p, parts[0]).Text(), "$_SERVER") ||
			strings.Contains(strings.ToLower(parts[0].Text()), "refer") {
			continue
		}
		if tainted(p, parts[0]) && !checked(p, parts[0], openRedirectKnown) && head(p, value(p, parts[0])) == "" &&
			!strings.HasPrefix(begin(p, parts[0]), "/") {
			p.Report(call, "")
		}
	}
}

var (
	openRedirectLocation = regexp.MustCompile(`(?i)^location:\s*$`)
	openRedirectKnown    = regexp.MustCompile(`(?i)str_?pos|preg_match|parse_url|in_array|valid|allow|starts|substr|filter|` +
		`check|sanit|strncmp|array_key`)
)

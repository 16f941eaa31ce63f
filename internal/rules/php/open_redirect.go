package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("header"), func(call rule.Node) bool {
		parts := operands(p, p.Arg(call, 0))
		if !openRedirectLocation.MatchString(head(p, p.Arg(call, 0))) || len(parts) == 0 ||
			strings.HasPrefix(value(p, parts[0]).Text(), "$_SERVER") || strings.Contains(strings.ToLower(parts[0].Text()), "refer") {
			return false
		}
		return tainted(p, parts[0]) && !checked(p, parts[0], openRedirectKnown) && head(p, value(p, parts[0])) == "" &&
			!strings.HasPrefix(begin(p, parts[0]), "/")
	})
}

var (
	openRedirectLocation = regexp.MustCompile(`(?i)^location:\s*$`)
	openRedirectKnown    = regexp.MustCompile(`(?i)str_?pos|preg_match|parse_url|in_array|valid|allow|starts|substr|filter|` +
		`check|sanit|strncmp|array_key`)
)

package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FileInclusion(p *rule.Pass) {
	inclusions := p.Nodes("include_expression", "include_once_expression", "require_expression", "require_once_expression")
	p.ReportWhere(inclusions, func(n rule.Node) bool {
		file := n.NamedChild(0)
		return tainted(p, file) && !checked(p, file, fileInclusionKnown)
	})
}

var fileInclusionKnown = regexp.MustCompile(`(?i)in_array|preg_match|valid|allow|array_key|ctype|basename|realpath|exists|file|` +
	`check|sanit`)

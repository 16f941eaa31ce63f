package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FileInclusion(p *rule.Pass) {
	for _, n := range p.Nodes("include_expression", "include_once_expression", "require_expression", "require_once_expression") {
		file := n.NamedChild(0)
		if tainted(p, file) && !checked(p, file, fileInclusionKnown) {
			p.Report(n, "")
		}
	}
}

var fileInclusionKnown = regexp.MustCompile(`(?i)in_array|preg_match|valid|allow|array_key|ctype|basename|realpath|exists|file|check|sanit`)

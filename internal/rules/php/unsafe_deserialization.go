package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("unserialize"), func(call rule.Node) bool {
		data := p.Arg(call, 0)
		return len(p.Args(call)) == 1 && tainted(p, data) && !checked(p, data, unsafeDeserializationKnown)
	})
}

var unsafeDeserializationKnown = regexp.MustCompile(`(?i)hmac|verify|check|valid|hash`)

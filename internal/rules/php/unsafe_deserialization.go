package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	for _, call := range p.CallsTo("unserialize") {
		if data := p.Arg(call, 0); len(p.Args(call)) == 1 && tainted(p, data) && !checked(p, data, unsafeDeserializationKnown) {
			p.Report(call, "")
		}
	}
}

var unsafeDeserializationKnown = regexp.MustCompile(`(?i)hmac|verify|check|valid|hash`)

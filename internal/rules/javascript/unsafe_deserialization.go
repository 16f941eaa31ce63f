package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// UnsafeDeserialization looks for parsers that run what they read.
func (*checks) UnsafeDeserialization(p *rule.Pass) {
	for _, call := range p.Calls() {
		if _, ok := callTo(p, call, "node-serialize", "unserialize"); ok && !constant(p, p.Arg(call, 0)) {
			p.Report(call, "")
		}
		if strings.HasPrefix(strings.ToLower(p.Method(call)), "parsexml") && property(p, p.Arg(call, 1), "noent").Text() == "true" {
			p.Report(call, "external entities are loaded")
		}
	}
}

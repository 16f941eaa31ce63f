package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WorldWritable(p *rule.Pass) {
	wide := regexp.MustCompile(`^0o?0?[0-7][0-7][2367]$`)
	for _, call := range p.MethodCalls("chmod") {
		for _, a := range p.Args(call) {
			if a.Kind() == "integer" && wide.MatchString(a.Text()) {
				p.Report(call, "")
			}
		}
	}
}

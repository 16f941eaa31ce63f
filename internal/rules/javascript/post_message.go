package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var sensitive = regexp.MustCompile(`(?i)token|password|secret|session|credential|auth|jwt|apikey|cookie`)

// otherWindow leaves out messages a window sends to itself.
var otherWindow = regexp.MustCompile(`(?i)parent|opener|\btop$|contentWindow|frame|popup|\.source$|child`)

// PostMessage looks for secrets sent to any window that listens.
func (*checks) PostMessage(p *rule.Pass) {
	for _, call := range p.Calls() {
		o, name := method(call)
		args := p.Args(call)
		if name != "postMessage" || len(args) < 2 || !otherWindow.MatchString(o.Text()) {
			continue
		}
		if s, _, ok := p.String(args[1]); !ok || s != "*" {
			continue
		}
		for _, n := range p.Names(args[0]) {
			if sensitive.MatchString(n) {
				p.Report(call, "")
			}
		}
		for pair := range args[0].Find("pair") {
			if sensitive.MatchString(pair.ChildByField("key").Text()) && !p.Constant(pair.ChildByField("value")) {
				p.Report(call, "")
			}
		}
	}
}

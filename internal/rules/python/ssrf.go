package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	fetches = regexp.MustCompile(`^(requests|httpx)\.(get|post|put|patch|delete|head|options)$|^urllib\.request\.(urlopen|` +
		`urlretrieve|Request)$|^urllib2\.urlopen$`)
	hostEnd = regexp.MustCompile(`^(https?://)?[^/]*$`)
)

func (*checks) SSRF(p *rule.Pass) {
	flow := inputFlow(p)
	for _, call := range p.Calls() {
		if !fetches.MatchString(callee(p, call)) {
			continue
		}
		url := rule.Either(p.Arg(call, 0), p.Keyword(call, "url"))
		if !flow.Tainted(url) {
			continue
		}
		parts, _ := pieces(p, url)
		before := ""
		for _, q := range parts {
			if q.node.Valid() && flow.Tainted(q.node) && hostEnd.MatchString(before) {
				p.Report(call, "")
				break
			}
			if q.node.Valid() { // a configured base address
				before += "x/"
			}
			before += q.text
		}
	}
}

package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SSRF(p *rule.Pass) {
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		target := p.Arg(call, 0)
		if m := p.Method(call); m == "openConnection" || m == "openStream" {
			target = receiver(call)
			if t := value(p, target); callee(p, t) == "URL" {
				target = p.Arg(t, 0)
			}
		} else if !ssrfClients.MatchString(callee(p, call)) && callee(p, call) != "HttpRequest.newBuilder" {
			return false
		}
		flow := input(p)
		return target.Valid() && flow.Tainted(target) && flow.Tainted(parts(value(p, target))[0])
	})
}

var ssrfClients = regexp.MustCompile(`(?i)(rest(template|client|ops)|http(client)?)\w*\.(getForObject|` +
	`getForEntity|postForObject|postForEntity|exchange)$|^Jsoup\.connect$`)

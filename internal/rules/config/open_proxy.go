package config

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var sentHost = regexp.MustCompile(`^(https?://)?\$\{?(arg_|http_|cookie_|query_string|args\b|request_uri\b|uri\b)`)

func (*checks) OpenProxy(p *rule.Pass) {
	for _, d := range nginx(p) {
		if d.name == "proxy_pass" && len(d.args) == 1 && sentHost.MatchString(d.args[0]) {
			p.ReportLine(d.line, "")
		}
	}
}

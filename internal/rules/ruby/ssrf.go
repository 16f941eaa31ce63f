package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SSRF(p *rule.Pass) {
	fetches := []string{"URI.open", "Net.HTTP.get", "Net.HTTP.get_response", "Net.HTTP.post_form", "HTTParty.get", "HTTParty.post",
		"RestClient.get", "RestClient.post", "Faraday.get", "Faraday.post", "OpenURI.open_uri", "HTTP.get", "Typhoeus.get", "Excon.get"}
	p.ReportWhere(p.CallsTo(fetches...), func(call rule.Node) bool {
		url := p.Arg(call, 0)
		if !url.Valid() || p.IsString(url) && !strings.HasPrefix(url.Text(), "\"#{") || enumerated(p, call) {
			return false
		}
		if p.IsName(url) {
			for _, a := range p.Assignments(p.Scope(call)) {
				if v := a.Value; a.Target.Text() == url.Text() && (p.Callee(v) == "URI.parse" || p.Callee(v) == "URI") {
					url = p.Arg(v, 0)
				}
			}
		}
		return tainted(p, url) && (!p.IsString(url) || strings.HasPrefix(url.Text(), "\"#{"))
	})
}

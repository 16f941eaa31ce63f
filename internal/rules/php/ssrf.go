package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SSRF(p *rule.Pass) {
	fetches := p.CallsTo("curl_init", "wp_remote_get", "wp_remote_post", "get_headers", "simplexml_load_file", "curl_setopt")
	p.ReportWhere(fetches, func(call rule.Node) bool {
		url := p.Arg(call, 0)
		if p.Callee(call) == "curl_setopt" {
			if p.Arg(call, 1).Text() != "CURLOPT_URL" {
				return false
			}
			url = p.Arg(call, 2)
		}
		return tainted(p, url) && head(p, value(p, url)) == "" && !checked(p, url, ssrfKnown)
	})
}

var ssrfKnown = regexp.MustCompile(`(?i)parse_url|in_array|valid|allow|preg_match|array_key|str_?pos|starts|check`)

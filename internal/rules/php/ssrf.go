package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SSRF(p *rule.Pass) {
	for _, call := range p.CallsTo("curl_init", "wp_remote_get", "wp_remote_post", "get_headers", "simplexml_load_file", "curl_setopt") {
		url := p.Arg(call, 0)
		if p.Callee(call) == "curl_setopt" {
			if p.Arg(call, 1).Text() != "CURLOPT_URL" {
				continue
			}
			url = p.Arg(call, 2)
		}
		if tainted(p, url) && head(p, value(p, url)) == "" && !checked(p, url, ssrfKnown) {
			p.Report(call, "")
		}
	}
}

var ssrfKnown = regexp.MustCompile(`(?i)parse_url|in_array|valid|allow|preg_match|array_key|str_?pos|starts|check`)

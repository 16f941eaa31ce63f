package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func serverSideRequest() rule.Rule {
	known := regexp.MustCompile(`(?i)parse_url|in_array|valid|allow|preg_match|array_key|str_?pos|starts|check`)
	return rule.Rule{
		ID: "php/ssrf", Title: "the server fetches an address that comes from the request",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Confidence: 0.85,
		Languages: []string{"php"},
		Explanation: "The client chooses where this server connects to: services inside the network, the cloud's metadata address (169.254.169.254) with its credentials, or " +
			"file:// and gopher:// addresses, which curl takes too.",
		Suggestion: "Choose the host from a list by a key in the request, allow only https (CURLOPT_PROTOCOLS) and refuse private addresses after resolving.",
		Bad: []rule.Sample{
			{Source: "<?php\n$ch = curl_init($_GET['url']);\ncurl_exec($ch);\n"},
			{Source: "<?php\n$url = $_POST['feed'];\n$ch = curl_init();\ncurl_setopt($ch, CURLOPT_URL, $url);\ncurl_exec($ch);\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$ch = curl_init('https://api.example.org/search?q=' . $_GET['q']);\ncurl_exec($ch);\n"},
			{Source: "<?php\n$url = $_GET['url'];\nif (parse_url($url, PHP_URL_HOST) !== 'example.org') {\n    exit;\n}\n$ch = curl_init($url);\n"},
			{Source: "<?php\nfunction fetch($url) {\n    $ch = curl_init($url);\n    return curl_exec($ch);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				url := p.Arg(call, 0)
				switch p.Callee(call) {
				case "curl_init", "wp_remote_get", "wp_remote_post", "get_headers", "simplexml_load_file":
				case "curl_setopt":
					if p.Arg(call, 1).Text() != "CURLOPT_URL" {
						continue
					}
					url = p.Arg(call, 2)
				default:
					continue
				}
				if url.Valid() && tainted(p, url) && head(p, value(p, url)) == "" && !checked(p, url, known) {
					p.Report(call, "")
				}
			}
		},
	}
}

package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func openRedirect() rule.Rule {
	location := regexp.MustCompile(`(?i)^location:\s*$`)
	known := regexp.MustCompile(`(?i)str_?pos|preg_match|parse_url|in_array|valid|allow|starts|substr|filter|check|sanit|strncmp|array_key`)
	return rule.Rule{
		ID: "php/open-redirect", Title: "the browser is redirected to an address that comes from the request",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Confidence: 0.88,
		Languages:   []string{"php"},
		Explanation: "A link to this site can carry any target, so a mail with a trustworthy address leads to a copy of the login page elsewhere.",
		Suggestion:  "Redirect to paths of your own only: take the target from a list, or accept it only if it starts with a single / and no //.",
		Bad: []rule.Sample{
			{Source: "<?php\nheader('Location: ' . $_GET['next']);\nexit;\n"},
			{Source: "<?php\nif (array_key_exists('to', $_GET) && $_GET['to'] != '') {\n    header('location: ' . $_GET['to']);\n}\n"},
			{Source: "<?php\n$url = $_REQUEST['return'];\nheader(\"Location: $url\");\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nheader('Location: /login?next=' . urlencode($_GET['next']));\n"},
			{Source: "<?php\nheader('Location: https://example.org/' . $_GET['page']);\n"},
			{Source: "<?php\n$next = $_GET['next'];\nif (strpos($next, '//') !== false) {\n    $next = '/';\n}\nheader('Location: ' . $next);\n"},
			{Source: "<?php\nheader('Location: ' . $_SERVER['REQUEST_URI']);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				text := p.Arg(call, 0)
				if p.Callee(call) != "header" || !text.Valid() || !location.MatchString(head(p, text)) {
					continue
				}
				parts := operands(p, text)
				if len(parts) == 0 || strings.HasPrefix(value(p, parts[0]).Text(), "$_SERVER") || strings.Contains(strings.ToLower(parts[0].Text()), "refer") {
					continue
				}
				if tainted(p, parts[0]) && !checked(p, parts[0], known) && head(p, value(p, parts[0])) == "" && !strings.HasPrefix(begin(p, parts[0]), "/") {
					p.Report(call, "")
				}
			}
		},
	}
}

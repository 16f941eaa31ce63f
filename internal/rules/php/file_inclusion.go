package php

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func fileInclusion() rule.Rule {
	known := regexp.MustCompile(`(?i)in_array|preg_match|valid|allow|array_key|ctype|basename|realpath|exists|file|check|sanit`)
	return rule.Rule{
		ID: "php/file-inclusion", Title: "a file is included whose name comes from the request",
		Category: "path-traversal", CWE: "CWE-98", Severity: "critical", Confidence: 0.92,
		Languages: []string{"php"},
		Explanation: "include runs what it loads. With ../ the parameter reaches any file on the disk, with php://filter it shows sources, and an uploaded image or a log line " +
			"that holds <?php becomes code.",
		Suggestion: "Look the page up in an array of the files that may be included.",
		Bad: []rule.Sample{
			{Source: "<?php\ninclude $_GET['page'] . '.php';\n"},
			{Source: "<?php\n$lang = $_COOKIE['lang'];\nrequire_once(\"lang/$lang/main.php\");\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$pages = ['home' => 'home.php'];\ninclude $pages[$_GET['page']] ?? 'home.php';\n"},
			{Source: "<?php\n$page = basename($_GET['page']);\ninclude \"pages/$page.php\";\n"},
			{Source: "<?php\n$page = $_GET['page'];\nif (in_array($page, ['home', 'about'], true)) {\n    include \"$page.php\";\n}\n"},
			{Source: "<?php\ninclude __DIR__ . '/config.php';\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("include_expression", "include_once_expression", "require_expression", "require_once_expression") {
				file := n.NamedChild(0)
				if tainted(p, file) && !checked(p, file, known) {
					p.Report(n, "")
				}
			}
		},
	}
}

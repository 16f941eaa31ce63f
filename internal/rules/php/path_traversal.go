package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func pathTraversal() rule.Rule {
	opens := []string{"file_get_contents", "readfile", "fopen", "file", "unlink", "file_put_contents", "rename", "copy", "rmdir", "mkdir", "highlight_file", "show_source", "scandir", "opendir", "parse_ini_file", "fpassthru"}
	known := regexp.MustCompile(`(?i)realpath|basename|in_array|preg_match|valid|allow|array_key|ctype|str_?pos|strstr|starts|sanit|check|str_replace|preg_replace|exists|is_numeric`)
	return rule.Rule{
		ID: "php/path-traversal", Title: "a file is opened or deleted under a path that comes from the request",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Confidence: 0.88,
		Languages: []string{"php"},
		Explanation: "With ../ or an absolute path the parameter leaves the directory that was meant: the client reads the configuration with its passwords, or deletes and " +
			"overwrites files. fopen and its kin also take http:// and php:// addresses.",
		Suggestion: "Take basename($name), or compare realpath($dir . '/' . $name) with the start of the directory before opening.",
		Bad: []rule.Sample{
			{Source: "<?php\nreadfile('/srv/files/' . $_GET['file']);\n"},
			{Source: "<?php\nfunction remove() {\n    $name = $_POST['name'];\n    unlink(\"uploads/$name\");\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nreadfile('/srv/files/' . basename($_GET['file']));\n"},
			{Source: "<?php\n$path = realpath('/srv/files/' . $_GET['file']);\nif (strpos($path, '/srv/files/') !== 0) {\n    exit;\n}\nreadfile($path);\n"},
			{Source: "<?php\n$id = intval($_GET['id']);\nreadfile(\"/srv/files/$id.pdf\");\n"},
			{Source: "<?php\n$f = fopen($_SERVER['DOCUMENT_ROOT'] . '/log', 'a');\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if call.Kind() != "function_call_expression" || !slices.Contains(opens, p.Callee(call)) {
					continue
				}
				path := p.Arg(call, 0)
				if path.Valid() && tainted(p, path) && !checked(p, path, known) && !checked(p, value(p, path), known) && !strings.Contains(head(p, path), "://") {
					p.Report(call, "")
				}
			}
		},
	}
}

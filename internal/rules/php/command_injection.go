package php

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func commandInjection() rule.Rule {
	shells := []string{"exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec"}
	return rule.Rule{
		ID: "php/command-injection", Title: "request data is put into a shell command",
		Category: "injection", CWE: "CWE-78", Severity: "critical", Confidence: 0.92,
		Languages:   []string{"php"},
		Explanation: "The text goes to /bin/sh. A semicolon, pipe or backtick in the parameter starts another command as the web server's user.",
		Suggestion:  "Put each argument through escapeshellarg(), check it against a list first, and prefer a PHP function to a program where there is one.",
		Bad: []rule.Sample{
			{Source: "<?php\nsystem('ping -c 1 ' . $_GET['host']);\n"},
			{Source: "<?php\nfunction ping($host) {\n    system(\"ping $host\");\n}\nping($_GET['host']);\n"},
			{Source: "<?php\n$f = $_POST['file'];\n$out = `wc -l $f`;\n"},
			{Source: "<?php\nfunction convert() {\n    $name = trim($_REQUEST['name']);\n    $cmd = \"convert /srv/$name out.png\";\n    exec($cmd, $out);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nsystem('ping -c 1 ' . escapeshellarg($_GET['host']));\n"},
			{Source: "<?php\nfunction ping($host) {\n    system(\"ping $host\");\n}\nping('localhost');\n"},
			{Source: "<?php\nfunction ping($host) {\n    system(\"ping $host\");\n}\nif (check_host($_GET['host'])) {\n    ping($_GET['host']);\n}\n"},
			{Source: "<?php\n$n = (int) $_GET['n'];\nsystem(\"sleep $n\");\n"},
			{Source: "<?php\n$db->exec('UPDATE hits SET n = n + ' . $_GET['n']);\n"},
			{Source: "<?php\n$f = $_GET['f'];\nif (!preg_match('/^[a-z]+$/', $f)) {\n    exit;\n}\nsystem(\"wc $f\");\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if call.Kind() == "function_call_expression" && slices.Contains(shells, p.Callee(call)) && tainted(p, p.Arg(call, 0)) {
					p.Report(call, "")
				}
			}
			for n := range p.Nodes("shell_command_expression") {
				for c := range n.NamedChildren() {
					if c.Kind() != "string_content" && tainted(p, c) {
						p.Report(n, "")
						break
					}
				}
			}
		},
	}
}

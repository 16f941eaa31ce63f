package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func hardCodedSecret() rule.Rule {
	return rule.Rule{
		ID: "php/hard-coded-secret", Title: "a credential is written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Confidence: 0.8,
		Languages: []string{"php"}, InTests: rule.SkipInTests,
		Explanation: "Everybody who can read the repository or its history has the credential, and a server that once hands out .php files as text shows it to the world.",
		Suggestion:  "Read it with getenv() or from a file outside of the repository, and replace the one that was published.",
		Bad: []rule.Sample{
			{Source: "<?php\n$db_password = 'Tr0ub4dor&3x';\n"},
			{Source: "<?php\nreturn ['mysql' => ['user' => 'app', 'password' => 'kX9#mq27Lp']];\n"},
			{Source: "<?php\ndefine('DB_PASSWORD', 'kX9#mq27Lp');\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$db_password = getenv('DB_PASSWORD');\n"},
			{Source: "<?php\n$labels = ['password' => 'Passwort'];\n"},
			{Source: "<?php\n$password = 'changeme';\n"},
			{Source: "<?php\ndefine('DB_PASSWORD', '');\n"},
		},
		Check: func(p *rule.Pass) {
			rule.CheckSecrets(p)
			for _, call := range p.Calls() {
				name, _, _ := p.String(p.Arg(call, 0))
				if v, holes, ok := p.String(p.Arg(call, 1)); p.Callee(call) == "define" && ok && !holes && rule.Secret(name, v) {
					p.Report(call, "value of "+name)
				}
			}
		},
	}
}

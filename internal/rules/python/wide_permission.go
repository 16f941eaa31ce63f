package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func widePermission() rule.Rule {
	return rule.Rule{
		ID: "python/world-writable", Title: "File made writable for everybody",
		Category: "configuration", CWE: "CWE-732", Severity: "medium", Languages: []string{"python"}, Confidence: 0.9,
		InTests:     rule.SkipInTests,
		Explanation: "Every user and every compromised service of the machine can replace what the program later reads or runs.",
		Suggestion:  "Give the least that works: 0o600 for data, 0o700 for programs and directories.",
		Bad: []rule.Sample{
			code(`import os`, `os.chmod("/srv/app/run.sh", 0o777)`),
			code(`from pathlib import Path`, `def f(p):`, `    p.chmod(0o666)`),
		},
		Good: []rule.Sample{
			code(`import os`, `os.chmod("/srv/app/run.sh", 0o755)`),
			code(`import os, stat`, `def f(p, mode):`, `    os.chmod(p, mode)`),
			code(`import os`, `os.chmod("/srv/spool", 0o1777)`),
		},
		Check: func(p *rule.Pass) {
			wide := regexp.MustCompile(`^0o?0?[0-7][0-7][2367]$`)
			for _, call := range p.Calls() {
				if p.Method(call) != "chmod" {
					continue
				}
				for _, a := range p.Args(call) {
					if a.Kind() == "integer" && wide.MatchString(a.Text()) {
						p.Report(call, "")
					}
				}
			}
		},
	}
}

package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// constantCommand runs a command through a shell that is the same on every call: nothing from outside gets into it.
func constantCommand() plant.Operator {
	return plant.Operator{
		Name: "typescript/constant-command", Language: language, Split: env.Heldout, Category: "injection", CWE: "CWE-78", Severity: "low", Decoy: true,
		Hint: "execFile",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for call := range find(p, path, "call_expression") {
				line, first, ok := commandLine(call)
				if !ok || first != "" {
					continue
				}
				quote := arguments(call)[0].Text()[:1]
				if edits, ok := throughShell(p, path, call, quote+line+quote); ok {
					out = append(out, site(edits, "The command line %q in %s is constant, so there is nothing that a shell could be made to run.", short(line), where(call)))
				}
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "import { execFileSync } from 'node:child_process';\n\nexport const head = () => execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });\n"},
				After: "import { execSync } from 'node:child_process';\n\nexport const head = () => execSync('git rev-parse HEAD', { encoding: 'utf8' });\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "import * as cp from \"child_process\"\ncp.execFile( \"uptime\", [ ] , done )\n"}, After: "import * as cp from \"child_process\"\ncp.exec(\"uptime\" , done )\n"},
		},
		Never: []string{
			"import { execFile } from 'node:child_process';\nexecFile('ping', [host]);\n",
			"import { exec } from 'node:child_process';\nexec('uptime');\n",
		},
	}
}

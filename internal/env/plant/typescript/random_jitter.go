package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var delayName = regexp.MustCompile(`(?i)delay|wait|backoff|pause|interval|sleep|ms$|millis$`)

// randomJitter spreads a delay with Math.random: nobody gains from guessing how long a pause is.
func randomJitter() plant.Operator {
	return plant.Operator{
		Name: "typescript/random-jitter", Language: language, Split: env.Train, Category: "weak-crypto", CWE: "CWE-338", Severity: "low", Decoy: true,
		Hint: "setTimeout",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for call := range find(p, path, "call_expression") {
				_, name := callee(call)
				args := arguments(call)
				if name != "setTimeout" || len(args) != 2 || !simple(args[1]) || !delayName.MatchString(lastName(args[1])) {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, args[1], args[1].Text()+" + Math.floor(Math.random() * 50)")},
					"Math.random only spreads the pause of %s by a few milliseconds, so that nothing is gained by guessing it.", where(call)))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "export const sleep = (delayMs: number) => new Promise((done) => setTimeout(done, delayMs));\n"},
				After: "export const sleep = (delayMs: number) => new Promise((done) => setTimeout(done, delayMs + Math.floor(Math.random() * 50)));\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "function again(run: () => void)\n{\n\tsetTimeout( run,\n\t\tthis.waitMs )\n}\n"},
				After: "function again(run: () => void)\n{\n\tsetTimeout( run,\n\t\tthis.waitMs + Math.floor(Math.random() * 50) )\n}\n"},
		},
		Never: []string{"setTimeout(run, 100);\n", "setTimeout(run, deadline(now));\n"},
	}
}

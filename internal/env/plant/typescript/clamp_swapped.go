package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var upperName = regexp.MustCompile(`(?i)^(max\w*|limit|cap|capacity|ceiling|upper\w*|most|\w+limit|\w+_max|\w+_limit|[a-z]+Max)$`)

// clampSwapped takes the larger of a value and its limit: what was the most is now the least.
func clampSwapped() plant.Operator {
	return plant.Operator{
		Name: "typescript/clamp-swapped", Language: language, Split: env.Heldout, Category: "logic", CWE: "CWE-682", Severity: "medium",
		Hint: "Math.min(",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for call := range find(p, path, "call_expression") {
				object, name := callee(call)
				args := arguments(call)
				if name != "min" || object.Text() != "Math" || len(args) != 2 {
					continue
				}
				limit, value := args[1], args[0]
				if !simple(limit) || !upperName.MatchString(lastName(limit)) {
					limit, value = value, limit
				}
				if !simple(limit) || !upperName.MatchString(lastName(limit)) || upperName.MatchString(lastName(value)) {
					continue
				}
				f := call.ChildByField("function")
				out = append(out, site([]plant.Edit{replace(path, f, "Math.max")}, "%s takes the larger of %s and %s, so the limit is no longer kept and small values are raised to it.", where(call), short(value.Text()), short(limit.Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "const size = (wanted: number) => Math.min(wanted, MAX_SIZE);\n"}, After: "const size = (wanted: number) => Math.max(wanted, MAX_SIZE);\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "function wait(n: number)\n{\n\treturn Math . min( this.limit,\n\t\t2 ** n )\n}\nMath.min(n)\n"},
				After: "function wait(n: number)\n{\n\treturn Math.max( this.limit,\n\t\t2 ** n )\n}\nMath.min(n)\n"},
		},
		Never: []string{"Math.min(a, b);\n", "Math.min(max, limit);\n", "Math.max(a, limit);\n"},
	}
}

package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var centsName = regexp.MustCompile(`(^|[a-z0-9_])([cC]ents|[pP]ence|[mM]inorUnits)$`)

// centsFactor leaves the factor out of a function that turns an amount into cents: other files reckon with a hundredth.
func centsFactor() plant.Operator {
	return plant.Operator{
		Name: "typescript/cents-factor", Language: language, Split: env.Heldout, Category: "logic", CWE: "CWE-682", Severity: "high",
		Hint: "100",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "binary_expression") {
				left, sign, right := binary(n)
				fn := function(n)
				if sign != "*" || right.Text() != "100" || !centsName.MatchString(functionName(fn)) || !exported(fn) {
					continue
				}
				user, ok := relied(p, path, fn, func(syntax.Node) bool { return true })
				if !ok {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, left.Text())}, "%s gives whole units while %s takes its result for hundredths, so amounts there are a hundred times too small.", where(n), user))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "money.ts", Files: map[string]string{
				"money.ts": "export function toCents(amount: number): number {\n  return Math.round(amount * 100);\n}\n",
				"bill.ts":  "import { toCents } from './money.js';\n\nexport const due = (a: number, paid: number) => toCents(a) - paid;\n"},
				After: "export function toCents(amount: number): number {\n  return Math.round(amount);\n}\n"},
			{Path: "money.ts", Files: map[string]string{
				"money.ts": "export const parseCents = ( s: string ) => {\n\tconst n = Math.round( Number(s)*100 )\n\treturn n\n}\n",
				"bill.ts":  "import { parseCents } from './money'\nexport const read = (s: string) => ({ cents: parseCents(s) })\n"},
				After: "export const parseCents = ( s: string ) => {\n\tconst n = Math.round( Number(s) )\n\treturn n\n}\n"},
		},
		Never: []string{
			"export function toCents(amount: number) {\n  return Math.round(amount * 100);\n}\n",
			"export function percent(share: number) {\n  return share * 100;\n}\nexport const x = percent(1);\n",
		},
	}
}

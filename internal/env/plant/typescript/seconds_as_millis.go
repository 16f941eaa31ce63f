package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var millisName = regexp.MustCompile(`(Ms|Millis|Milliseconds)$`)

// secondsAsMillis leaves the factor out of a function that turns seconds into milliseconds: whoever calls it waits or
// keeps things a thousand times too short.
func secondsAsMillis() plant.Operator {
	return plant.Operator{
		Name: "typescript/seconds-as-millis", Language: language, Split: env.Train, Category: "api-misuse", Severity: "high", CrossFile: true,
		Hint: "000",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "binary_expression") {
				left, sign, right := binary(n)
				fn := function(n)
				if sign != "*" || strings.ReplaceAll(right.Text(), "_", "") != "1000" || !simple(left) || !millisName.MatchString(functionName(fn)) || !exported(fn) || !isResult(n, fn) {
					continue
				}
				user, ok := relied(p, path, fn, func(syntax.Node) bool { return true })
				if !ok {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, left.Text())},
					"%s gives seconds as they are while %s takes its result for milliseconds, so times there are a thousand times too short.", where(n), user))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "time.ts", Files: map[string]string{
				"time.ts": "export function toMillis(seconds: number): number {\n  return seconds * 1000;\n}\n",
				"wait.ts": "import { toMillis } from './time.js';\n\nexport const later = (run: () => void) => setTimeout(run, toMillis(30));\n"},
				After: "export function toMillis(seconds: number): number {\n  return seconds;\n}\n"},
			{Path: "time.ts", Files: map[string]string{
				"time.ts":      "export const ttlMs = ( o: Options ) =>\n\to.ttl*1_000\n",
				"lib/cache.ts": "import { ttlMs as ms, ttlMs } from '../time'\nexport const ends = (o: Options) => Date.now() + ttlMs(o)\n"},
				After: "export const ttlMs = ( o: Options ) =>\n\to.ttl\n"},
		},
		Never: []string{
			"export function toMillis(seconds: number): number {\n  return seconds * 1000;\n}\n",
			"export function toGrams(kilos: number): number {\n  return kilos * 1000;\n}\n",
		},
	}
}

// isResult says whether an expression is what its function returns: alone, or inside of one call as in Math.round(x).
func isResult(n, fn syntax.Node) bool {
	up := n.Parent()
	for up.Kind() == "parenthesized_expression" || up.Kind() == "arguments" || up.Kind() == "call_expression" {
		up = up.Parent()
	}
	return up == fn && fn.Kind() == "arrow_function" || up.Kind() == "return_statement" && function(up) == fn
}

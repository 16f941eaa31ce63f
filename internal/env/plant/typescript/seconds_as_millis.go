package typescript

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var millisName = regexp.MustCompile(`(Ms|Millis|Milliseconds)$`)

// secondsAsMillis leaves out the call that turns seconds into milliseconds where a function of another file is to get
// them: it waits a thousandth of the time.
func secondsAsMillis() plant.Operator {
	return plant.Operator{
		Name: "typescript/seconds-as-millis", Language: language, Split: env.Train, Category: "api-misuse", CWE: "CWE-628", Severity: "high", CrossFile: true,
		Hint: "(",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "call_expression") {
				_, converter := callee(n)
				args, list := arguments(n), n.Parent()
				if !millisName.MatchString(converter) || len(args) != 1 || list.Kind() != "arguments" {
					continue
				}
				taker := list.Parent()
				on, name := callee(taker)
				from, ok := indexed(p).imports[path][name]
				if !ok || on.Valid() || from.file == path {
					continue
				}
				parameter := parameterAt(p, from, slices.Index(arguments(taker), n))
				if !millisName.MatchString(parameter) {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, args[0].Text())},
					"%s hands %s to %s, whose %s in %s counts milliseconds and not seconds: the time is a thousand times too short.", where(n), args[0].Text(), name, parameter, from.file))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "poll.ts", Files: map[string]string{
				"time.ts": "export function toMillis(seconds: number): number {\n  return seconds * 1000;\n}\n\nexport function pause(delayMs: number): Promise<void> {\n  return new Promise((resolve) => setTimeout(resolve, delayMs));\n}\n",
				"poll.ts": "import { pause, toMillis } from './time.js';\n\nexport async function poll(everySeconds: number): Promise<void> {\n  await pause(toMillis(everySeconds));\n}\n"},
				After: "import { pause } from './time.js';\n\nexport async function poll(everySeconds: number): Promise<void> {\n  await pause(everySeconds);\n}\n"},
			{Path: "lib/poll.ts", Files: map[string]string{
				"time.ts":     "export const asMs = ( s: number ) => s*1_000\nexport async function sleep( what: string, ms: number, delayMs: number ) { await later(what, delayMs) }\n",
				"lib/poll.ts": "import { asMs, sleep } from '../time'\nexport const nap = ( n: number ) =>\n\tsleep( 'x', asMs(1), asMs( n*2 ) )\n"},
				After: "import { asMs, sleep } from '../time'\nexport const nap = ( n: number ) =>\n\tsleep( 'x', asMs(1), n*2 )\n"},
		},
		Never: []string{
			"export function toMillis(seconds: number): number {\n  return seconds * 1000;\n}\n\nexport const later = (run: () => void) => setTimeout(run, toMillis(30));\n",
			"export function pause(delayMs: number) {}\nexport function toMillis(s: number) {\n  return s * 1000;\n}\npause(toMillis(3));\n",
		},
	}
}

// parameterAt is the name of the parameter at a place of a function that a file exports, "" where it has none.
func parameterAt(p *plant.Project, from origin, at int) string {
	for fn := range find(p, from.file, "function_declaration") {
		if functionName(fn) != from.name || !exported(fn) {
			continue
		}
		i := 0
		for x := range fn.ChildByField("parameters").NamedChildren() {
			if x.ChildByField("pattern").Valid() {
				if i == at {
					return x.ChildByField("pattern").Text()
				}
				i++
			}
		}
	}
	return ""
}

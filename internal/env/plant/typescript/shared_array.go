package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sharedArray hands out a list itself instead of a copy. A caller in another file changes what it got, and with it the
// state that the list belongs to.
func sharedArray() plant.Operator {
	return plant.Operator{
		Name: "typescript/shared-array", Language: language, Split: env.Heldout, Category: "api-misuse", CWE: "CWE-374", Severity: "medium", CrossFile: true,
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "return_statement") {
				list := copied(n.NamedChild(0))
				fn := function(n)
				if list == "" || !exported(fn) {
					continue
				}
				user, ok := relied(p, path, fn, changed)
				if !ok {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, "return "+list+semicolon(n))}, "%s hands out %s itself, and %s reorders or changes the list it gets, so the original is changed behind its owner's back.", where(n), short(list), user))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "log.ts", Files: map[string]string{
				"log.ts":  "export class Log {\n  private entries: string[] = [];\n\n  entriesSoFar(): string[] {\n    return [...this.entries];\n  }\n}\n",
				"view.ts": "import { Log } from './log.js';\n\nexport const view = (log: Log) => log.entriesSoFar().reverse().join();\n"},
				After: "export class Log {\n  private entries: string[] = [];\n\n  entriesSoFar(): string[] {\n    return this.entries;\n  }\n}\n"},
			{Path: "log.ts", Files: map[string]string{
				"log.ts":  "const kept: string[] = []\nexport function keptLines()\n{\n\treturn kept.slice( )\n}\n",
				"view.ts": "import { keptLines } from './log'\nexport function view() {\n\tconst all = keptLines()\n\tall.sort()\n\treturn all\n}\n"},
				After: "const kept: string[] = []\nexport function keptLines()\n{\n\treturn kept\n}\n"},
		},
		Never: []string{
			"export function kept() {\n  return [...lines];\n}\n",
			"export function kept() {\n  return lines;\n}\n",
		},
	}
}

// copied gives xs of [...xs] and xs.slice(), "" for anything else.
func copied(n syntax.Node) string {
	switch n.Kind() {
	case "array":
		if s := n.NamedChild(0); n.NumNamed() == 1 && s.Kind() == "spread_element" && simple(s.NamedChild(0)) {
			return s.NamedChild(0).Text()
		}
	case "call_expression":
		if object, name := callee(n); name == "slice" && len(arguments(n)) == 0 && simple(object) {
			return object.Text()
		}
	}
	return ""
}

// changed says whether the code around a call changes the list that it gives.
func changed(call syntax.Node) bool {
	name, n := result(call)
	if name == "" {
		return changes(n)
	}
	for id := range function(call).Find("identifier") {
		if id.Text() == name && changes(id) {
			return true
		}
	}
	return false
}

func changes(xs syntax.Node) bool {
	up := xs.Parent()
	if up.Kind() != "member_expression" || up.ChildByField("object") != xs || up.Parent().Kind() != "call_expression" {
		return false
	}
	switch up.ChildByField("property").Text() {
	case "sort", "reverse", "push", "pop", "shift", "unshift", "splice", "fill":
		return true
	}
	return false
}

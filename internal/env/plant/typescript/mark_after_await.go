package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// markAfterAwait notes that something is under way only after waiting: a second call in the meantime passes the same
// test and does the work again.
func markAfterAwait() plant.Operator {
	return plant.Operator{
		Name: "typescript/mark-after-await", Language: language, Split: env.Heldout, Category: "concurrency", CWE: "CWE-367", Severity: "high",
		Hint: ".has(",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for mark := range find(p, path, "expression_statement") {
				call := mark.NamedChild(0)
				object, name := callee(call)
				args := arguments(call)
				if (name != "add" && name != "set") || !object.Valid() || len(args) == 0 || !simple(args[0]) {
					continue
				}
				test, next := around(mark)
				if !asks(test, object.Text(), args[0].Text()) || !next.Valid() || next.Kind() == "return_statement" || next.Kind() == "try_statement" || !awaits(next) || mentions(next, lastName(object)) {
					continue
				}
				src := mark.Tree().Source()
				text := next.Text() + newline(src) + indentation(src, mark.Start()) + mark.Text()
				if lines(text) > maxLines {
					continue
				}
				out = append(out, site([]plant.Edit{{File: path, Start: mark.Start(), End: next.End(), Text: text}},
					"%s notes %s in %s only after it waited, so a second call meanwhile passes the same test and works on it too.", where(mark), short(args[0].Text()), short(object.Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "async function once(id: string) {\n  if (seen.has(id)) {\n    return;\n  }\n  seen.add(id);\n  await handle(id);\n}\n"},
				After: "async function once(id: string) {\n  if (seen.has(id)) {\n    return;\n  }\n  await handle(id);\n  seen.add(id);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const start = async (job: Job) => {\n\tif ( busy.has( job.id ) ) throw new Busy()\n\tbusy.set( job.id, 1 )\n\tconst out = await run(\n\t\tjob)\n\treturn out\n}\n"},
				After: "const start = async (job: Job) => {\n\tif ( busy.has( job.id ) ) throw new Busy()\n\tconst out = await run(\n\t\tjob)\n\tbusy.set( job.id, 1 )\n\treturn out\n}\n"},
		},
		Never: []string{
			"async function once(id: string) {\n  if (seen.has(id)) {\n    return;\n  }\n  await handle(id);\n  seen.add(id);\n}\n",
			"async function once(id: string) {\n  seen.add(id);\n  await handle(id);\n}\n",
			"function once(id: string) {\n  if (seen.has(id)) {\n    return;\n  }\n  seen.add(id);\n  handle(id);\n}\n",
		},
	}
}

// asks says whether a statement leaves when the collection holds the key.
func asks(s syntax.Node, collection, key string) bool {
	if s.Kind() != "if_statement" || !leaves(s) {
		return false
	}
	object, name := callee(bare(s.ChildByField("condition")))
	args := arguments(bare(s.ChildByField("condition")))
	return name == "has" && object.Text() == collection && len(args) == 1 && args[0].Text() == key
}

package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`^(runExclusive|withLock|withMutex|runLocked|exclusive|exclusively|synchronized)$`)

// lockDropped takes a function's body out of its lock. Between two awaits of it another call can now run, so reading,
// computing and writing back is no longer one step.
func lockDropped() plant.Operator {
	return plant.Operator{
		Name: "typescript/lock-dropped", Language: language, Split: env.Train, Category: "concurrency", CWE: "CWE-362", Severity: "high",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for call := range find(p, path, "call_expression") {
				object, name := callee(call)
				args := arguments(call)
				if !lockName.MatchString(name) || len(args) == 0 {
					continue
				}
				body := args[len(args)-1]
				block := body.ChildByField("body")
				outer := call.Parent()
				if outer.Kind() == "await_expression" {
					outer = outer.Parent()
				}
				if body.Kind() != "arrow_function" || block.Kind() != "statement_block" || body.ChildByField("parameters").NumNamed() > 0 || !awaits(block) || !isAsync(function(call)) {
					continue
				}
				switch outer.Kind() {
				case "return_statement":
				case "expression_statement":
					if hasReturn(block) {
						continue
					}
				default:
					continue
				}
				lock := name
				if object.Valid() {
					lock = object.Text()
				}
				if edits, ok := unwrapped(path, outer, outer, block); ok {
					out = append(out, site(edits, "%s reads and writes shared state across awaits without holding %s, so two calls at a time act on the same old state.", where(outer), short(lock)))
				}
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "class Box {\n  async add(n: number): Promise<number> {\n    return this.mutex.runExclusive(async () => {\n      const old = await this.load();\n      await this.save(\n        old + n,\n      );\n\n      return old;\n    });\n  }\n}\n"},
				After: "class Box {\n  async add(n: number): Promise<number> {\n    const old = await this.load();\n    await this.save(\n      old + n,\n    );\n\n    return old;\n  }\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "export const add = async (n: number) =>\n{\n\tawait withLock( 'box', async () =>\n\t{\n\t\tconst old = await load()\n\t\tawait save(old + n)\n\t})\n}\n"},
				After: "export const add = async (n: number) =>\n{\n\tconst old = await load()\n\tawait save(old + n)\n}\n"},
		},
		Never: []string{
			"async function f() {\n  const old = await load();\n  await save(old + 1);\n}\n",
			"async function f() {\n  const n = await lock.runExclusive(async () => {\n    return await load();\n  });\n  return n;\n}\n",
			"async function f() {\n  await lock.runExclusive(async () => {\n    if (await busy()) return;\n    await save();\n  });\n}\n",
		},
	}
}

// awaits says whether a block waits for something itself.
func awaits(block syntax.Node) bool {
	found := false
	own(block, func(n syntax.Node) { found = found || n.Kind() == "await_expression" })
	return found
}

func hasReturn(block syntax.Node) bool {
	found := false
	own(block, func(n syntax.Node) { found = found || n.Kind() == "return_statement" })
	return found
}

// own visits what stands below a block and in no function of its own.
func own(block syntax.Node, visit func(syntax.Node)) {
	block.Walk(func(n syntax.Node) bool {
		for _, kind := range functions {
			if n.Kind() == kind && n != block {
				return false
			}
		}
		visit(n)
		return true
	})
}

func isAsync(fn syntax.Node) bool {
	for c := range fn.Children() {
		if c.Kind() == "async" {
			return true
		}
	}
	return false
}

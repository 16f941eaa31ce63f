package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var writes = regexp.MustCompile(`(?i)^(save|write|insert|update|delete|remove|commit|flush|put|store|append|publish|record|execute|upsert|replace|persist)`)

// awaitDropped does not wait for a write any more: the function goes on before the write is done, and where it fails the
// rejection reaches nobody.
func awaitDropped() plant.Operator {
	return plant.Operator{
		Name: "typescript/await-dropped", Language: language, Split: env.Train, Category: "concurrency", CWE: "CWE-662", Severity: "medium",
		Hint: "await",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "expression_statement") {
				await := n.NamedChild(0)
				call := await.NamedChild(0)
				_, name := callee(call)
				_, after := around(n)
				if await.Kind() != "await_expression" || !writes.MatchString(name) || !after.Valid() || lines(n.Text()) > maxLines {
					continue
				}
				out = append(out, site([]plant.Edit{replace(path, n, call.Text()+semicolon(n))},
					"%s does not wait for %s: what follows runs before the write is done, and a failure of it is lost.", where(n), short(call.ChildByField("function").Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "async function close(loan: Loan) {\n  await store.save(loan);\n  return loan.id;\n}\n"},
				After: "async function close(loan: Loan) {\n  store.save(loan);\n  return loan.id;\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const close = async (x: Loan) => {\n\tawait   updateLoan(\n\t\tx,\n\t)\n\tdone(x)\n}\n"},
				After: "const close = async (x: Loan) => {\n\tupdateLoan(\n\t\tx,\n\t)\n\tdone(x)\n}\n"},
		},
		Never: []string{
			"async function f() {\n  store.save(loan);\n  return 1;\n}\n",
			"async function f() {\n  await sleep(10);\n  return 1;\n}\n",
			"async function f() {\n  await store.save(loan);\n}\n",
		},
	}
}

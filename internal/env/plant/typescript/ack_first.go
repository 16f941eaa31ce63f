package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var ackName = regexp.MustCompile(`^(ack|acknowledge|acknowledged|commit|confirm|markDone|markProcessed|complete|settle)$`)

// ackFirst confirms a piece of work before it is done: what fails, or is under way when the process ends, is never
// delivered again.
func ackFirst() plant.Operator {
	return plant.Operator{
		Name: "typescript/ack-first", Language: language, Split: env.Heldout, Category: "data-loss", Severity: "high",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for ack := range find(p, path, "expression_statement") {
				object, name := callee(ack.NamedChild(0).NamedChild(0))
				work, _ := around(ack)
				if ack.NamedChild(0).Kind() != "await_expression" || !ackName.MatchString(name) || !object.Valid() || work.Kind() != "expression_statement" || work.NamedChild(0).Kind() != "await_expression" {
					continue
				}
				call := work.NamedChild(0).NamedChild(0)
				if o, _ := callee(call); o.Text() == object.Text() || call.Kind() != "call_expression" {
					continue
				}
				src := ack.Tree().Source()
				text := ack.Text() + string(src[work.End():ack.Start()]) + work.Text()
				if lines(text) > maxLines {
					continue
				}
				out = append(out, site([]plant.Edit{{File: path, Start: work.Start(), End: ack.End(), Text: text}},
					"%s calls %s.%s before %s is done, so work that fails or is cut off is never delivered again.", where(ack), short(object.Text()), name, short(call.ChildByField("function").Text())))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "async function step(job: Job) {\n  await handle(job);\n  await queue.ack(job.id);\n}\n"},
				After: "async function step(job: Job) {\n  await queue.ack(job.id);\n  await handle(job);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "const step = async (b: Batch) => {\n\tfor (const x of b.items) {\n\t\tawait sink.write(\n\t\t\tx)\n\n\t\tawait b.source . commit( x.offset )\n\t}\n}\n"},
				After: "const step = async (b: Batch) => {\n\tfor (const x of b.items) {\n\t\tawait b.source . commit( x.offset )\n\n\t\tawait sink.write(\n\t\t\tx)\n\t}\n}\n"},
		},
		Never: []string{
			"async function step(job: Job) {\n  await queue.ack(job.id);\n  await handle(job);\n}\n",
			"async function f() {\n  await tx.begin();\n  await tx.commit();\n}\n",
		},
	}
}

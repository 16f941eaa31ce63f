package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var writes = regexp.MustCompile(`(?i)^(save|write|insert|update|delete|remove|commit|flush|put|store|append|publish|record|execute|upsert|replace|persist)`)

// AwaitDropped does not wait for a write any more: the function goes on before the write is done, and where it fails the
// rejection reaches nobody.
func (operators) AwaitDropped(p *plant.Project, path string) []plant.Site {
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
}

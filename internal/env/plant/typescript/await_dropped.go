package typescript

import "regexp"

var writes = regexp.MustCompile(`(?i)^(save|write|insert|update|delete|remove|commit|flush|put|store|append|publish|record|execute|` +
	`upsert|replace|persist)`)

// AwaitDropped does not wait for a write any more: the function continues before the write is done, and where it fails the
// rejection reaches nobody.
func (*operators) AwaitDropped(f file) {
	for n := range f.Root.Find("expression_statement") {
		await := n.NamedChild(0)
		call := await.NamedChild(0)
		_, name := callee(call)
		_, after := around(n)
		if await.Kind() != "await_expression" || !writes.MatchString(name) || !after.Valid() || lines(n.Text()) > maxLines {
			continue
		}
		f.Report(f.Replace(n, call.Text()+semicolon(n)),
			"%s does not wait for %s: what follows runs before the write is done, and a failure of it is lost.", where(n),
			short(call.ChildByField("function").Text()))
	}
}

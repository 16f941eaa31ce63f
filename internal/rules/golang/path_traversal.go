package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// PathTraversal looks for files opened under a name the client sent.
func (*checks) PathTraversal(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		switch {
		case callTo(p, call, "os", "Open", "OpenFile", "ReadFile", "WriteFile", "Create", "Remove", "RemoveAll", "ReadDir",
			"MkdirAll", "Mkdir"), callTo(p, call, "io/ioutil", "ReadFile", "WriteFile", "ReadDir"):
			args = args[:min(1, len(args))]
		case callTo(p, call, "os", "Rename"):
		case callTo(p, call, "net/http", "ServeFile"):
			// ServeFile refuses ".." in the request's own path, so serving that path is safe.
			args = args[min(2, len(args)):]
			if len(args) == 1 && ownPath(p, args[0]) {
				continue
			}
		default:
			continue
		}
		if i := slices.IndexFunc(args, requestFlow(p).Tainted); i >= 0 {
			p.Report(call, "the path holds "+rule.FirstLine(args[i]))
		}
	}
}

// ownPath tells whether n is made of the request's own path.
func ownPath(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "identifier" {
		return slices.ContainsFunc(values(p.Scope(n), n.Text()),
			func(v value) bool { return ownPath(p, v.expr) && v.expr.Kind() != "identifier" })
	}
	return strings.Contains(n.Text(), ".URL.Path") || strings.Contains(n.Text(), ".RequestURI")
}

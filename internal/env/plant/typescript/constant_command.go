package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// ConstantCommand runs a command through a shell that is the same on every call: nothing from outside gets into it.
func (operators) ConstantCommand(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for call := range find(p, path, "call_expression") {
		line, first, ok := commandLine(call)
		if !ok || first != "" {
			continue
		}
		quote := arguments(call)[0].Text()[:1]
		if edits, ok := throughShell(p, path, call, quote+line+quote); ok {
			out = append(out, site(edits, "The command line %q in %s is constant, so there is nothing that a shell could be made to run.", short(line), where(call)))
		}
	}
	return out
}

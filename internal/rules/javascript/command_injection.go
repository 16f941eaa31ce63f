package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CommandInjection looks for shell command lines with values in them.
func (*checks) CommandInjection(p *rule.Pass) {
	for _, call := range p.Calls() {
		name, ok := childProcess(p, call)
		line := p.Arg(call, 0)
		if !ok || !line.Valid() {
			continue
		}
		if requestFlow(p).Tainted(line) {
			p.ReportAs(call, "critical", "the command comes from the request")
			continue
		}
		if name != "exec" && name != "execSync" && !shellOption(p, call) {
			continue
		}
		for _, text := range built(p, line) {
			i := slices.IndexFunc(parts(p, text), func(x part) bool { return !harmless(p, x.node) && !ownSetting(x.node) })
			if i >= 0 {
				p.Report(call, "the command line holds "+rule.FirstLine(parts(p, text)[i].node))
				break
			}
		}
	}
}

// childProcess gives the function of child_process that call runs, promisified
// ones included.
func childProcess(p *rule.Pass, call rule.Node) (string, bool) {
	if name, ok := callTo(p, call, "child_process", "exec", "execSync", "spawn", "spawnSync", "execFile", "execFileSync", "fork"); ok {
		return name, true
	}
	f := call.ChildByField("function")
	if f.Kind() != "identifier" {
		return "", false
	}
	name, ok := promisified(p)[f.Text()]
	return name, ok && !declaredInside(p, f)
}

// promisified maps the names given a promisified function of child_process, as
// in const run = promisify(exec), to that function.
func promisified(p *rule.Pass) map[string]string {
	return rule.Memo(p, "js.promisified", func() map[string]string {
		names := map[string]string{}
		for _, d := range p.Nodes("variable_declarator") {
			v := d.ChildByField("value")
			if v.Kind() != "call_expression" || rule.LastName(p.Callee(v)) != "promisify" {
				continue
			}
			if b, ok := resolve(p, p.Arg(v, 0)); ok && b.module == "child_process" {
				names[d.ChildByField("name").Text()] = b.export
			}
		}
		return names
	})
}

// ownSetting leaves out fields of the object itself, text that was quoted, and
// the paths of this very program: they are settings, not input.
func ownSetting(n rule.Node) bool {
	s := n.Text()
	return strings.HasPrefix(s, "this.") || strings.HasPrefix(s, "JSON.stringify(") || strings.HasPrefix(s, "process.")
}

func shellOption(p *rule.Pass, call rule.Node) bool {
	return slices.ContainsFunc(p.Args(call), func(a rule.Node) bool { return property(p, a, "shell").Text() == "true" })
}

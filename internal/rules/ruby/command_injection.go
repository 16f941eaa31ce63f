package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	shells := []string{"system", "exec", "spawn", "popen", "capture2", "capture2e", "capture3", "popen3", "pipeline"}
	kernel := []string{"system", "exec", "spawn", "Kernel.system", "Kernel.exec", "Kernel.spawn", "IO.popen", "Process.spawn",
		"Open3.capture2", "Open3.capture2e", "Open3.capture3", "Open3.popen3", "Open3.pipeline"}
	check := func(n, text rule.Node) {
		for _, hole := range holes(p, text) {
			if strings.Contains(strings.ToLower(hole.Text()), "escape") {
				continue
			}
			if tainted(p, hole) {
				p.ReportAs(n, "critical", hole.Text())
				return
			}
			if given(p, n, hole, commandInjectionData, commandInjectionOwn, commandInjectionBuild) {
				p.ReportAs(n, "medium", hole.Text())
				return
			}
		}
		if tainted(p, text) && !p.IsString(text) && text.Kind() != "binary" {
			p.ReportAs(n, "critical", "")
		}
	}
	for _, call := range p.Calls() {
		if slices.Contains(shells, p.Method(call)) && slices.Contains(kernel, p.Callee(call)) && len(p.Args(call)) == 1 {
			check(call, first(p, call))
		}
	}
	for _, n := range p.Nodes("subshell") {
		check(n, n)
	}
}

var (
	commandInjectionData = regexp.MustCompile(`(?i)(^|_)(file|filename|path|username|hostname|url|uri|host|address|ip|user|` +
		`input|query|dir|directory|branch|domain|target|email|text|pattern|archive|source|destination)$`)
	commandInjectionOwn   = regexp.MustCompile(`(?i)cmd|command|opt|bin|exe|task|rake|prog|interp|ruby|tool`)
	commandInjectionBuild = regexp.MustCompile(`(?i)rakefile|/tasks?/|\.rake$|extconf|/script|/bin/|/build|/release|/ext/|` +
		`rakelib|gemspec|/dev/|benchmark`)
)

// given tells whether the hole is an argument of the method, as it was given, that is a text by its use: not one of those that name a
// program or hold options, which the program's own code passes.
func given(p *rule.Pass, n, hole rule.Node, data, own, build *regexp.Regexp) bool {
	method := p.Function(n)
	if hole.Kind() != "identifier" || method.Kind() != "method" && method.Kind() != "singleton_method" || p.InTest() {
		return false
	}
	name := hole.Text()
	if !slices.Contains(p.ParameterNames(method), name) || !data.MatchString(name) || own.MatchString(name) {
		return false
	}
	for _, a := range p.Assignments(method) {
		if a.Target.Text() == name {
			return false
		}
	}
	return !build.MatchString("/" + p.Path)
}

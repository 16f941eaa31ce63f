package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	shells := []string{"system", "exec", "spawn", "Kernel.system", "Kernel.exec", "Kernel.spawn", "IO.popen", "Process.spawn",
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
			if given(p, n, hole) {
				p.ReportAs(n, "medium", hole.Text())
				return
			}
		}
		if tainted(p, text) && !p.IsString(text) && text.Kind() != "binary" {
			p.ReportAs(n, "critical", "")
		}
	}
	for _, call := range p.CallsTo(shells...) {
		if len(p.Args(call)) == 1 {
			check(call, p.Arg(call, 0))
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
func given(p *rule.Pass, n, hole rule.Node) bool {
	method := p.Function(n)
	name := hole.Text()
	return hole.Is("identifier") && method.Is("method", "singleton_method") && !p.InTest() &&
		slices.Contains(p.ParameterNames(method), name) && commandInjectionData.MatchString(name) && !commandInjectionOwn.MatchString(name) &&
		!slices.ContainsFunc(p.Assignments(method), func(a rule.Assignment) bool { return a.Target.Text() == name }) &&
		!commandInjectionBuild.MatchString("/"+p.Path)
}

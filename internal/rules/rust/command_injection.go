package rust

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	for _, c := range p.Calls() {
		if !rule.OneOf(p.Method(c), "arg", "args") || !shellCommand.MatchString(c.Text()) {
			continue
		}
		for _, a := range p.Args(c) {
			for _, m := range append(slices.Collect(a.Find("macro_invocation", "identifier")), a) {
				text := formatted(p, m)
				if strings.Contains(text, "{") && !numbers(p, bare(m)) {
					p.Report(c, "")
				}
			}
		}
	}
}

var shellCommand = regexp.MustCompile(`Command::new\(\s*"(/(usr/)?bin/)?(sh|bash|zsh|cmd|cmd\.exe|powershell)"\s*\)`)

// numbers tells whether all parameters that the function's format! names are numbers or paths of its own, or no parameter is.
func numbers(p *rule.Pass, n rule.Node) bool {
	text := p.Only(p.Scope(n), n).Text()
	for prm := range p.Function(n).Find("parameter") {
		typ := prm.ChildByField("type").Text()
		name := prm.ChildByField("pattern").Text()
		if rule.OneOf(strings.TrimPrefix(typ, "&"), "str", "String") && regexp.MustCompile(`\b`+name+`\b`).MatchString(text) {
			return false
		}
	}
	return true
}

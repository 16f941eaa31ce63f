package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var rmEmptyRoot = regexp.MustCompile(`^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9])\}?/(\*|\.\*)?$`)

func (*checks) RmEmptyVariable(p *rule.Pass) {
	if p.FileHas(nounset) {
		return
	}
	for _, c := range commands(p, "rm") {
		if !flag(c, "r", "--recursive") && !flag(c, "R", "--recursive") {
			continue
		}
		for _, w := range words(c)[1:] {
			if m := rmEmptyRoot.FindStringSubmatch(bare(w)); m != nil && !given(p, m[1]) {
				p.Report(c, "$"+m[1]+" may be empty")
				break
			}
		}
	}
}

// given tells whether the file gives the variable a text of its own or looks at it in a test.
func given(p *rule.Pass, name string) bool {
	return rule.OneOf(name, "HOME", "PWD", "TMPDIR", "0") || p.FileHas(counted) || rule.Memo(p, "shell.given", func() map[string]bool {
		text, all := p.Tree.Root().Text(), map[string]bool{}
		for _, test := range tested {
			for _, m := range test.FindAllStringSubmatch(text, -1) {
				all[m[1]] = true
			}
		}
		for _, a := range p.Nodes("variable_assignment") {
			v := a.ChildByField("value")
			if t := bare(v); v.Valid() && !strings.HasPrefix(t, "$(") &&
				(strings.ContainsAny(t, "/.") || t != "" && !strings.Contains(v.Text(), "$")) {
				all[a.ChildByField("name").Text()] = true
			}
		}
		return all
	})[name]
}

var counted = regexp.MustCompile(`\$\{?#`)

// tested are the ways to look at a variable, whose name they capture.
var tested = []*regexp.Regexp{
	regexp.MustCompile(`(?:-[a-z]|==?|!=|case|for|test)\s+"?\$\{?(\w+)`),
	regexp.MustCompile(`\$\{(\w+):?[?=-]`),
	regexp.MustCompile(`\$\{?(\w+)\}?"?\s*(?:!=|==?)`),
	regexp.MustCompile(`\bfor\s+(\w+)`),
}

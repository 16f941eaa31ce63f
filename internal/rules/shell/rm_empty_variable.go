package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var rmEmptyRoot = regexp.MustCompile(`^\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9])\}?/(\*|\.\*)?$`)

func (*checks) RmEmptyVariable(p *rule.Pass) {
	if says(p, nounset) {
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
	if rule.OneOf(name, "HOME", "PWD", "TMPDIR", "0") {
		return true
	}
	test := regexp.MustCompile(`(-[a-z]|==?|!=|case|for|test)\s+"?\$\{?` + name + `\b|\$\{` + name + `(:?[?=-])|` +
		`\$\{?` + name + `\}?"?\s*(!=|==?)|\$\{?#|\bfor\s+` + name + `\b`)
	if says(p, test) {
		return true
	}
	return rule.Any(slices.Values(p.Nodes("variable_assignment")), func(a rule.Node) bool {
		v := a.ChildByField("value")
		return a.ChildByField("name").Text() == name && v.Valid() && (strings.ContainsAny(bare(v), "/.") || bare(v) != "" &&
			!strings.Contains(v.Text(), "$")) &&
			!strings.HasPrefix(bare(v), "$(")
	})
}

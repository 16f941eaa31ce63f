package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CookieWithoutHTTPOnly(p *rule.Pass) {
	for _, a := range p.Assignments(p.Tree.Root()) {
		jar := a.Target.ChildByField("object")
		if !a.Target.Is("element_reference") || !rule.OneOf(jar.Text(), "cookies", "cookies.permanent", "response.cookies") {
			continue
		}
		name := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(a.Target.Text(), jar.Text()), "["), `]:"'`)
		if !rule.UserCookie(name) || a.Value.Is("nil") || a.Value.Text() == `""` || a.Value.Text() == "''" {
			continue
		}
		given := strings.Join(strings.Fields(a.Value.Text()), "")
		if a.Value.Is("hash") && strings.Contains(given, "httponly") && !strings.Contains(given, "httponly:false") {
			continue
		}
		p.Report(a.Node, "")
	}
}

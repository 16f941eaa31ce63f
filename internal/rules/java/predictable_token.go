package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PredictableToken(p *rule.Pass) {
	for _, n := range slices.Concat(p.Calls(), p.News()) {
		switch name := callee(p, n); {
		case name == "Math.random", strings.HasPrefix(name, "RandomStringUtils.random"),
			strings.HasPrefix(name, "ThreadLocalRandom.current.next"):
		case name == "Random" && n.Is("object_creation_expression") && len(p.Args(n)) < 2:
		default:
			continue
		}
		target := ""
		if d := n.Enclosing("variable_declarator", "assignment_expression"); d.Valid() && !p.IsCall(d) {
			target = d.ChildByField("name").Text() + d.ChildByField("left").Text()
		}
		method := outermost(p, n).ChildByField("name").Text()
		if (predictableTokenSecret.MatchString(target) || predictableTokenSecret.MatchString(method)) &&
			!predictableTokenLanguage.MatchString(target+" "+method+" "+p.Path) {
			p.Report(n, "")
		}
	}
}

var (
	predictableTokenSecret = regexp.MustCompile(`(?i)token|passw(or)?d|secret|session_?id|nonce|\bsalt|salt$|\botp\b|csrf|` +
		`api_?key|captcha|verif(y|ication)_?code|reset_?(code|key)`)
	predictableTokenLanguage = regexp.MustCompile(`(?i)tokeniz|lexer|parser|next_?token|analy[sz]er|bucket`)
)

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
		case name == "Math.random", strings.HasPrefix(name, "RandomStringUtils.random") && !strings.HasSuffix(name, "Secure"),
			strings.HasPrefix(name, "ThreadLocalRandom.current.next"):
		case name == "Random" && n.Is("object_creation_expression") && len(p.Args(n)) < 2:
		case strings.HasPrefix(p.Method(n), "next") && drawsOnField(p, n):
		default:
			continue
		}
		method := outermost(p, n).ChildByField("name").Text()
		if predictableTokenLanguage.MatchString(method + " " + p.Path) {
			continue
		}
		if purpose := rule.SecretPurpose(p.Purpose(n).To); purpose != "" {
			p.Report(n, "used for "+purpose)
		}
	}
}

var predictableTokenLanguage = regexp.MustCompile(`(?i)tokeniz|lexer|parser|next_?token|analy[sz]er|bucket`)

// drawsOnField tells whether a call draws on a field of the class that is made with new Random().
func drawsOnField(p *rule.Pass, call rule.Node) bool {
	on := receiver(call)
	d := field(p.Class(call), on.Text())
	if !on.Is("identifier") || !d.Valid() {
		return false
	}
	made := declarator(d, on.Text()).ChildByField("value")
	return made.Is("object_creation_expression") && callee(p, made) == "Random"
}

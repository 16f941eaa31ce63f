package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PredictableToken(p *rule.Pass) {
	check := func(name string, scope, report rule.Node) {
		if !predictableTokenSecret.MatchString(strings.TrimSuffix(name, "!")) || strings.Contains(scope.Text(), "SecureRandom") {
			return
		}
		found := scope.Kind() == "identifier" && scope.Text() == "rand"
		for c := range scope.Find("call", "identifier") {
			found = found || c.Kind() == "call" && predictableTokenWeak.MatchString(p.Callee(c)) ||
				c.Kind() == "identifier" && c.Text() == "rand" && c.Field() != "method"
		}
		if found || scope.Kind() == "call" && predictableTokenWeak.MatchString(p.Callee(scope)) {
			p.Report(report, "")
		}
	}
	for _, n := range p.Nodes("assignment", "operator_assignment") {
		target := n.ChildByField("left").Text()
		if i := strings.LastIndexAny(target, ".@"); i >= 0 {
			target = target[i+1:]
		}
		if n.ChildByField("right").Kind() != "if" {
			check(target, n.ChildByField("right"), n)
		}
	}
	for _, m := range p.Nodes("method") {
		if body := m.ChildByField("body"); body.NumNamed() == 1 && body.NamedChild(0).Kind() == "call" {
			check(m.ChildByField("name").Text(), body.NamedChild(0), body.NamedChild(0))
		}
	}
}

var (
	predictableTokenSecret = regexp.MustCompile(`(?i)(token|password|passwd|secret|session_?id|nonce|salt|csrf|api_?key|` +
		`activation_?(code|key)|reset_?(code|key)|otp|verification_?code)$`)
	predictableTokenWeak = regexp.MustCompile(`^(Kernel\.)?rand$|^Random\.rand$|^Random\.new\.rand$|\.(sample|shuffle)$|` +
		`^Random\.new\.bytes$`)
)

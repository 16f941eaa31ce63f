package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func predictableToken() rule.Rule {
	secret := regexp.MustCompile(`(?i)(token|password|passwd|secret|session_?id|nonce|salt|csrf|api_?key|activation_?(code|key)|reset_?(code|key)|otp|verification_?code)$`)
	weak := regexp.MustCompile(`^(Kernel\.)?rand$|^Random\.rand$|^Random\.new\.rand$|\.(sample|shuffle)$|^Random\.new\.bytes$`)
	return rule.Rule{
		ID: "ruby/predictable-token", Title: "a secret value is made with a predictable random generator",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Confidence: 0.85,
		Languages: []string{"ruby"},
		Explanation: "rand, sample and shuffle use a Mersenne Twister: from enough of its output the generator's whole state follows, and with it every other token. Hashing the " +
			"result adds nothing.",
		Suggestion: "SecureRandom.hex(32), or pass random: SecureRandom to sample and shuffle.",
		Bad: []rule.Sample{
			{Source: "def reset\n  self.reset_token = Digest::MD5.hexdigest(rand.to_s)\nend\n"},
			{Source: "password = Array.new(8) { ('a'..'z').to_a.sample }.join\n"},
			{Source: "def api_token\n  rand(36**16).to_s(36)\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "def reset\n  self.reset_token = SecureRandom.hex(32)\nend\n"},
			{Source: "password = Array.new(8) { CHARS.sample(random: SecureRandom) }.join\n"},
			{Source: "def roll\n  rand(6) + 1\nend\n"},
			{Source: "delay = rand(10)\ntoken = fetch_token(delay)\n"},
		},
		Check: func(p *rule.Pass) {
			check := func(name string, scope, report syntax.Node) {
				if !secret.MatchString(strings.TrimSuffix(name, "!")) || strings.Contains(scope.Text(), "SecureRandom") {
					return
				}
				found := scope.Kind() == "identifier" && scope.Text() == "rand"
				for c := range scope.Find("call", "identifier") {
					found = found || c.Kind() == "call" && weak.MatchString(p.Callee(c)) || c.Kind() == "identifier" && c.Text() == "rand" && c.Field() != "method"
				}
				if found || scope.Kind() == "call" && weak.MatchString(p.Callee(scope)) {
					p.Report(report, "")
				}
			}
			for n := range p.Nodes("assignment", "operator_assignment") {
				target := n.ChildByField("left").Text()
				if i := strings.LastIndexAny(target, ".@"); i >= 0 {
					target = target[i+1:]
				}
				if n.ChildByField("right").Kind() != "if" {
					check(target, n.ChildByField("right"), n)
				}
			}
			for m := range p.Nodes("method") {
				if body := m.ChildByField("body"); body.NumNamed() == 1 && body.NamedChild(0).Kind() == "call" {
					check(m.ChildByField("name").Text(), body.NamedChild(0), body.NamedChild(0))
				}
			}
		},
	}
}

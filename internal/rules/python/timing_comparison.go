package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TimingComparison(p *rule.Pass) {
	token := regexp.MustCompile(`(?i)(^|_)(secret|token|api_?key|signature|hmac)$`)
	for _, n := range p.Nodes("comparison_operator") {
		left, op, right := comparison(n)
		if op != "==" && op != "!=" {
			continue
		}
		switch {
		case keyedDigest(p, left) || keyedDigest(p, right):
			p.Report(n, "")
		case p.Untrusted(left) && token.MatchString(lastWord(right)) || p.Untrusted(right) && token.MatchString(lastWord(left)):
			p.Report(n, "")
		}
	}
}

// keyedDigest tells whether n is a digest made with a key, or a name that was given one.
func keyedDigest(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "identifier" {
		v, ok := assigned(p, n, n)
		return ok && v.Kind() != "identifier" && keyedDigest(p, v)
	}
	if n.Kind() != "call" {
		return false
	}
	name := callee(p, n)
	if strings.HasPrefix(name, "hmac.new.") {
		return strings.HasSuffix(name, "digest")
	}
	return name == "hmac.digest"
}

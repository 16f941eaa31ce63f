package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// offByName: the option is a constant of the file that is False.
func offByName(p *rule.Pass, call rule.Node) bool {
	for pair := range p.Keyword(call, "options").Find("pair") {
		if key, _, _ := p.String(pair.ChildByField("key")); key == "verify_signature" {
			value := pair.ChildByField("value")
			return value.Kind() == "identifier" && p.Only(p.Tree.Root(), value).Text() == "False"
		}
	}
	return false
}

// peeks matches functions that look into a token to see whose it is, before somebody else checks it.
var peeks = regexp.MustCompile(`^_?(is|has|looks|get_(iss|issuer|kid|alg|key_id|exp\w*|tenant))_|unverified|issuer|peek|expir`)

func (*checks) JWTUnverified(p *rule.Pass) {
	for _, call := range p.Calls() {
		name := callee(p, call)
		if !strings.HasSuffix(name, "jwt.decode") {
			continue
		}
		options := strings.NewReplacer(" ", "", "'", `"`).Replace(p.Keyword(call, "options").Text())
		algorithms := strings.ToLower(p.Only(p.Tree.Root(), p.Keyword(call, "algorithms")).Text())
		switch {
		case strings.Contains(algorithms, `"none"`) || strings.Contains(algorithms, `'none'`):
			p.Report(call, "algorithm none is allowed")
		case strings.Contains(options, `"verify_signature":False`) || offByName(p, call) || p.Keyword(call, "verify").Text() == "False":
			if peeks.MatchString(p.Function(call).ChildByField("name").Text()) {
				continue
			}
			if call.Enclosing("except_clause").Valid() { // what did not stand the check is taken all the same
				p.Report(call, "")
				continue
			}
			again := 0 // peeking into the token before it is verified with the right key is fine
			for other := range p.Scope(call).Find("call") {
				if strings.HasSuffix(callee(p, other), "jwt.decode") {
					again++
				}
			}
			if again < 2 {
				p.Report(call, "")
			}
		}
	}
}

package c

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PredictableKey(p *rule.Pass) {
	if predictableKeyOwn.MatchString(p.Path) {
		return
	}
	for _, call := range p.CallsTo("rand", "random", "rand_r", "lrand48") {
		if len(p.Args(call)) > 1 {
			continue
		}
		n := call
		for n.Valid() && n.Kind() != "assignment_expression" && n.Kind() != "init_declarator" &&
			(n.Kind() == "call_expression" && n == call || strings.HasSuffix(n.Kind(), "expression") && n.Kind() != "call_expression") {
			n = n.Parent()
		}
		target := n.ChildByField("left")
		if n.Kind() == "init_declarator" {
			target = n.ChildByField("declarator")
		} else if n.Kind() != "assignment_expression" || !rule.Inside(call, n.ChildByField("right")) {
			continue
		}
		if f := target.ChildByField("field"); f.Valid() {
			target = f
		}
		if predictableKeySecret.MatchString(target.Text()) && !predictableKeyOwn.MatchString(target.Text()) {
			p.Report(n, "")
		}
	}
}

var (
	predictableKeySecret = regexp.MustCompile(`(?i)(^|_)(token|passw(or)?d|secret|session_?id|sessid|nonce|salt|key|iv|otp|cookie)(\[|$)`)
	predictableKeyOwn    = regexp.MustCompile(`(?i)key(code|sym|press|board)|hash_?key|sort|lookup|test|bench`)
)

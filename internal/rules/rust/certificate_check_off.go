package rust

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	for _, c := range p.Calls() {
		a := p.Arg(c, 0).Text()
		off := rule.OneOf(p.Method(c), "danger_accept_invalid_certs", "danger_accept_invalid_hostnames") && a == "true" ||
			p.Method(c) == "set_verify" && strings.HasSuffix(a, "SslVerifyMode::NONE")
		if off && !c.Enclosing("if_expression", "match_expression").Valid() {
			at := c
			if f := c.ChildByField("function").ChildByField("field"); f.Valid() {
				at = f
			}
			p.Report(at, "")
		}
	}
}

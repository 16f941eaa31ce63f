package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TrustAllCertificates(p *rule.Pass) {
	for _, m := range p.Nodes("method_declaration") {
		body, params := m.ChildByField("body"), p.Parameters(m)
		if !body.Valid() {
			continue
		}
		list := body.Statements()
		switch m.ChildByField("name").Text() {
		case "checkServerTrusted":
			if len(list) == 0 && len(params) >= 2 {
				p.Report(m, "")
			}
		case "verify":
			if len(params) == 2 && params[1].ChildByField("type").Text() == "SSLSession" && len(list) == 1 &&
				strings.Join(strings.Fields(list[0].Text()), " ") == "return true;" {
				p.Report(m, "")
			}
		}
	}
	setters := p.MethodCalls("setHostnameVerifier", "setDefaultHostnameVerifier", "hostnameVerifier", "setSSLHostnameVerifier")
	p.ReportWhere(setters, func(call rule.Node) bool {
		arg := p.Arg(call, 0)
		return arg.Is("lambda_expression") && arg.ChildByField("body").Text() == "true" ||
			strings.Contains(arg.Text(), "NoopHostnameVerifier") || strings.Contains(arg.Text(), "ALLOW_ALL_HOSTNAME_VERIFIER")
	})
}

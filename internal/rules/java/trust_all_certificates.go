package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// optIn matches conditions and names by which somebody asks for a connection without checks.
var optIn = regexp.MustCompile(`(?i)insecure|trust_?all|unsafe|` +
	`(no|skip|disable|ignore|without|bypass)\w*(cert|check|verif|valid|ssl|tls|host)`)

// askedFor tells whether n stands where a setting asks for it, or in a declaration whose name says insecure.
func askedFor(n rule.Node) bool {
	for c := range rule.Around(n, "if_statement", "ternary_expression") {
		if optIn.MatchString(c.ChildByField("condition").Text()) {
			return true
		}
	}
	for _, d := range []rule.Node{n.Enclosing("class_declaration"), n.Enclosing("field_declaration"), n.Enclosing("variable_declarator")} {
		if name := rule.Either(d.ChildByField("name"), d.ChildByField("declarator").ChildByField("name")); strings.Contains(
			strings.ToLower(name.Text()), "insecure") {
			return true
		}
	}
	return false
}

func (*checks) TrustAllCertificates(p *rule.Pass) {
	for _, m := range p.Nodes("method_declaration") {
		body, params := m.ChildByField("body"), p.Parameters(m)
		if !body.Valid() || askedFor(m) {
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
		if askedFor(call) {
			return false
		}
		return arg.Is("lambda_expression") && arg.ChildByField("body").Text() == "true" ||
			strings.Contains(arg.Text(), "NoopHostnameVerifier") || strings.Contains(arg.Text(), "ALLOW_ALL_HOSTNAME_VERIFIER")
	})
}

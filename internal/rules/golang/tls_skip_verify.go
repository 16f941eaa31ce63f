package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// tlsSkipVerify looks for the literal true: a setting the user may turn on is
// the user's choice.
func tlsSkipVerify() rule.Rule {
	return rule.Rule{
		ID: "go/tls-skip-verify", Title: "TLS certificate verification switched off",
		Category: "configuration", CWE: "CWE-295", Severity: "high", Languages: languages, Confidence: 0.9, InTests: rule.SkipInTests,
		Explanation: "With InsecureSkipVerify any certificate is accepted, so anyone on the network path can pose as the server and read or change the traffic.",
		Suggestion:  "Leave verification on; for a private authority put its certificate into RootCAs, for another host name set ServerName. If the check is done by hand, set VerifyConnection.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"crypto/tls\"\n\t\"net/http\"\n)\n\nfunc client() *http.Client {\n\treturn &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}\n}\n"},
			{Source: "package a\n\nimport \"crypto/tls\"\n\nfunc config() *tls.Config {\n\tc := &tls.Config{}\n\tc.InsecureSkipVerify = true\n\treturn c\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"crypto/tls\"\n\nfunc config(insecure bool) *tls.Config { return &tls.Config{InsecureSkipVerify: insecure} }\n"},
			{Source: "package a\n\nimport \"crypto/tls\"\n\nfunc config(v func(tls.ConnectionState) error) *tls.Config {\n\treturn &tls.Config{InsecureSkipVerify: true, VerifyConnection: v}\n}\n"},
			{Source: "package a\n\nimport \"crypto/tls\"\n\nfunc config(insecure bool) *tls.Config {\n\tc := &tls.Config{}\n\tif insecure {\n\t\tc.InsecureSkipVerify = true\n\t}\n\treturn c\n}\n"},
		},
		Check: func(p *rule.Pass) {
			deliberate := func(n syntax.Node) bool {
				if scope := n.Enclosing("var_spec", "short_var_declaration", "function_declaration", "method_declaration"); scope.Valid() {
					head, _, _ := strings.Cut(scope.Text(), "{")
					return strings.Contains(strings.ToLower(head), "insecure")
				}
				return false
			}
			for n := range p.Nodes("keyed_element") {
				if n.NumNamed() != 2 || n.NamedChild(0).Text() != "InsecureSkipVerify" || n.NamedChild(1).Text() != "true" {
					continue
				}
				literal := n.Enclosing("literal_value")
				if !deliberate(n) && !containsWord(literal.Text(), "VerifyConnection") && !containsWord(literal.Text(), "VerifyPeerCertificate") && !n.Enclosing("if_statement").Valid() {
					p.Report(n, "")
				}
			}
			for n := range p.Nodes("assignment_statement") {
				_, field := selector(n.ChildByField("left").NamedChild(0))
				if field != "InsecureSkipVerify" || n.ChildByField("right").Text() != "true" || n.Enclosing("if_statement", "expression_case").Valid() || deliberate(n) {
					continue
				}
				fn := p.Scope(n).Text()
				if !containsWord(fn, "VerifyConnection") && !containsWord(fn, "VerifyPeerCertificate") {
					p.Report(n, "")
				}
			}
		},
	}
}

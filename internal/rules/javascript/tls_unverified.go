package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// tlsUnverified looks for certificate checks that are literally switched off.
func tlsUnverified() rule.Rule {
	return rule.Rule{
		ID: "javascript/tls-unverified", Title: "TLS certificate verification switched off",
		Category: "configuration", CWE: "CWE-295", Severity: "high", Languages: languages, Confidence: 0.9, InTests: rule.SkipInTests,
		Explanation: "Any certificate is accepted, so anyone on the network path can pose as the server and read or change the traffic.",
		Suggestion:  "Leave verification on; for a private authority pass its certificate as the ca option or in NODE_EXTRA_CA_CERTS.",
		Bad: []rule.Sample{
			{Source: "const https = require('https');\n\nconst agent = new https.Agent({ rejectUnauthorized: false });\n"},
			{Source: "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';\n"},
		},
		Good: []rule.Sample{
			{Source: "const https = require('https');\n\nconst agent = new https.Agent({ rejectUnauthorized: true, ca });\n"},
			{Source: "const agent = new https.Agent({ rejectUnauthorized: !options.insecure });\n"},
			{Source: "if (argv.insecure) {\n  options = { rejectUnauthorized: false };\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("pair") {
				key := strings.Trim(n.ChildByField("key").Text(), `"'`)
				if (key == "rejectUnauthorized" || key == "strictSSL") && n.ChildByField("value").Text() == "false" && !n.Enclosing("if_statement", "ternary_expression").Valid() {
					if o := n.Parent(); !property(p, o, "requestCert").Valid() && !property(p, o, "checkServerIdentity").Valid() {
						p.Report(n, "")
					}
				}
			}
			for n := range p.Nodes("assignment_expression") {
				left, right := n.ChildByField("left"), strings.Trim(n.ChildByField("right").Text(), `"'`)
				if strings.Contains(left.Text(), "NODE_TLS_REJECT_UNAUTHORIZED") && right == "0" && !n.Enclosing("if_statement").Valid() {
					p.Report(n, "")
				}
			}
		},
	}
}

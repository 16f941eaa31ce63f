package c

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func hardCodedSecret() rule.Rule {
	return rule.Rule{
		ID: "c/hard-coded-secret", Title: "a credential is written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Confidence: 0.8,
		Languages: []string{"c"}, InTests: rule.SkipInTests,
		Explanation: "Everybody who can read the repository has the credential, and so has everybody with the program: strings(1) prints it from the binary. It cannot be changed " +
			"without a release.",
		Suggestion: "Read it at run time from a file or the environment, and replace the one that was published.",
		Bad: []rule.Sample{
			{Source: "static const char *db_password = \"Tr0ub4dor&3x\";\n"},
			{Source: "#define API_KEY \"9f8a7c6e5d4b3a291807f6e5\"\n"},
			{Source: "void login(struct client *c) {\n    c->password = \"kX9#mq27Lp\";\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "static const char *db_password;\nvoid init(void) { db_password = getenv(\"DB_PASSWORD\"); }\n"},
			{Source: "#define PASSWORD_FILE \"/etc/app/password1\"\n"},
			{Source: "static const char *password = \"changeme\";\n"},
			{Source: "static const char *password_prompt = \"Password1: \";\n"},
		},
		Check: func(p *rule.Pass) {
			secret := func(name string, at syntax.Node, value string) {
				if rule.Secret(name, value) {
					p.Report(at, "value of "+name)
				} else if kind := rule.SecretToken(value); kind != "" {
					p.Report(at, kind)
				}
			}
			for d := range p.Nodes("declaration") {
				for _, v := range declared(d) {
					if s, _, ok := p.String(v.value); ok {
						secret(v.name, v.value, s)
					}
				}
			}
			for a := range p.Nodes("assignment_expression") {
				left := a.ChildByField("left")
				if f := left.ChildByField("field"); f.Valid() {
					left = f
				}
				if s, _, ok := p.String(a.ChildByField("right")); ok {
					secret(left.Text(), a, s)
				}
			}
			for d := range p.Nodes("preproc_def") {
				value := strings.TrimSpace(d.ChildByField("value").Text())
				if len(value) > 2 && value[0] == '"' && strings.IndexByte(value[1:], '"') == len(value)-2 {
					secret(d.ChildByField("name").Text(), d, value[1:len(value)-1])
				}
			}
		},
	}
}

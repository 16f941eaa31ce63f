package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func hardCodedSecret() rule.Rule {
	return rule.Rule{
		ID: "ruby/hard-coded-secret", Title: "a credential is written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Confidence: 0.8,
		Languages: []string{"ruby"}, InTests: rule.SkipInTests,
		Explanation: "Everybody who can read the repository or its history has the credential, and it cannot be changed without a release.",
		Suggestion:  "Read it from ENV or the encrypted credentials, and replace the one that was published.",
		Bad: []rule.Sample{
			{Source: "DB_PASSWORD = 'Tr0ub4dor&3x'\n"},
			{Source: "client = Client.new(user: 'app', password: 'kX9#mq27Lp')\n"},
		},
		Good: []rule.Sample{
			{Source: "DB_PASSWORD = ENV.fetch('DB_PASSWORD')\n"},
			{Source: "labels = { password: 'Passwort' }\n"},
			{Source: "password = 'changeme'\n"},
			{Path: "config/routes.rb", Source: "get 'forgot_password' => 'password_resets#forgot_password2'\n"},
		},
		Check: func(p *rule.Pass) {
			if !strings.HasSuffix(p.Path, "routes.rb") { // whose pairs map paths to actions
				rule.CheckSecrets(p)
			}
		},
	}
}

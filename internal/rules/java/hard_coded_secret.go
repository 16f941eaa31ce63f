package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func hardCodedSecret() rule.Rule {
	return rule.Rule{
		ID: "java/hard-coded-secret", Title: "a credential is written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Confidence: 0.8,
		Languages: []string{"java"}, InTests: rule.SkipInTests,
		Explanation: "Everybody who can read the repository, its history or the compiled classes has the credential, and it cannot be changed without a release.",
		Suggestion:  "Read it from the environment or a secret store, and replace the one that was published.",
		Bad: []rule.Sample{
			{Source: "class Db {\n  private static final String PASSWORD = \"Tr0ub4dor&3x\";\n}\n"},
			{Source: "class Cloud {\n  String accessKey = \"AKIAIOSFODNN7RTWQLPZ\";\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Db {\n  private static final String PASSWORD = System.getenv(\"DB_PASSWORD\");\n}\n"},
			{Source: "class Db {\n  private static final String PASSWORD_FIELD = \"password1\";\n}\n"},
			{Source: "class Db {\n  String password = \"changeme\";\n}\n"},
		},
		Check: rule.CheckSecrets,
	}
}

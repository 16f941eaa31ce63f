package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func hardcodedSecret() rule.Rule {
	return rule.Rule{
		ID: "go/hardcoded-secret", Title: "Credential written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "Everyone who can read the repository, its history, a build log or the binary has this credential, and changing it needs a release.",
		Suggestion:  "Read it at start from the environment or a secret store, and revoke the one that was committed.",
		Bad: []rule.Sample{
			{Source: "package a\n\nconst apiKey = \"9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c\"\n"},
			{Source: "package a\n\ntype Config struct{ Password string }\n\nvar c = Config{Password: \"Tr0ub4dor&3x\"}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nvar apiKey = os.Getenv(\"API_KEY\")\n"},
			{Source: "package a\n\nconst passwordField = \"user_password1\"\n"},
			{Source: "package a\n\nvar password = \"changeme\"\n"},
		},
		Check: rule.CheckSecrets,
	}
}

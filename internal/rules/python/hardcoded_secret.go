package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func hardcodedSecret() rule.Rule {
	return rule.Rule{
		ID: "python/hardcoded-secret", Title: "Credential written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Languages: []string{"python"}, Confidence: 0.8,
		Explanation: "Everybody who can read the code, its history or a build of it has the credential, and it cannot be changed without a release.",
		Suggestion:  "Read it from the environment or a secret store, and replace the one that was published.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`DB_PASSWORD = "hunter2-Prod!"`),
			code(`import boto3`, `c = boto3.client("s3", aws_access_key_id="AKIA2E0A8F3B244C9986")`),
			code(`config = {"api_key": "9f8a7c6d5e4b3a2f1e0d9c8b"}`),
		},
		Good: []rule.Sample{
			code(`import os`, `DB_PASSWORD = os.environ["DB_PASSWORD"]`),
			code(`PASSWORD = "changeme"`, `api_key = "YOUR_API_KEY"`, `password_field = "input_password_1"`),
			code(`TOKEN = "access_token"`, `secret = ""`, `error = {"password": "Password is too short."}`),
			code(`AUTH_TOKEN = "Token {token}"`, `token = "{% csrf_token %}"`),
		},
		Check: rule.CheckSecrets,
	}
}

package redact_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/redact"
)

func TestToken(t *testing.T) {
	for text, want := range map[string]string{
		"AKIA2EQA7F3BZ44CLPQ6":                   "aws access key",
		"AKIAIOSFODNN7EXAMPLE":                   "",
		"ghp_" + strings.Repeat("aB3xY9", 6):     "github token",
		"postgres://app:kX9mq27Lp@db/app":        "url password",
		`password = "kX9mq27Lp#Tr0ub4dor"`:       "", // its name says so, not its form
		"Authorization: Bearer kX9mq27LpTr0ub4d": "",
		"":                                       "",
	} {
		if got := redact.New().Token(text); got != want {
			t.Errorf("Token(%q) = %q, want %q", text, got, want)
		}
	}
}

// What has the form of a secret is redacted, too.
func FuzzToken(f *testing.F) {
	for _, seed := range []string{"AKIA2EQA7F3BZ44CLPQ6", "postgres://app:kX9mq27Lp@db/app", "-----BEGIN PRIVATE KEY-----", "é\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kind := redact.New().Token(text)
		if _, n := redact.New().RedactFile("a.go", text); kind != "" && n == 0 {
			t.Errorf("%q has the form of a %s and is left as it is", text, kind)
		}
	})
}

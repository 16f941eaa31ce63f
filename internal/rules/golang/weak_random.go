package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	secretPurpose = regexp.MustCompile(`(?i)(token|password|passwd|secret|session_?id|api_?key|nonce|\bsalt\b|otp|verification_?code|reset_?code|private_?key|csrf)`)
	otherPurpose  = regexp.MustCompile(`(?i)tokens?(count|ize|izer|len|idx|index|num|bucket)|\bidempotency|retry|jitter|test|bench|example|fake|mock|sample`)
)

// weakRandom looks for math/rand inside functions or assignments whose name
// says that the value is a secret.
func weakRandom() rule.Rule {
	return rule.Rule{
		ID: "go/weak-random", Title: "Secret value drawn from math/rand",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "math/rand is a statistical generator: from a few outputs, or from a seed such as the time, all the following tokens can be computed, so an attacker guesses other users' sessions or reset links.",
		Suggestion:  "Use crypto/rand: rand.Text() for a token, rand.Read for bytes, rand.Int for a number in a range.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"math/rand\"\n\nconst letters = \"abcdef\"\n\nfunc newToken() string {\n\tb := make([]byte, 32)\n\tfor i := range b {\n\t\tb[i] = letters[rand.Intn(len(letters))]\n\t}\n\treturn string(b)\n}\n"},
			{Source: "package a\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n)\n\nfunc login(u string) string {\n\tsessionID := fmt.Sprintf(\"%d\", rand.Int63())\n\treturn u + sessionID\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"crypto/rand\"\n\nfunc newToken() string { return rand.Text() }\n"},
			{Source: "package a\n\nimport \"math/rand\"\n\nfunc jitter(ms int) int { return ms + rand.Intn(100) }\n"},
			{Source: "package a\n\nimport \"math/rand\"\n\nfunc countTokens(n int) int { return rand.Intn(n) }\n"},
		},
		Check: func(p *rule.Pass) {
			name := imported(p, "math/rand", "math/rand/v2")
			if name == "" {
				return
			}
			for _, call := range p.Calls() {
				x, fn := method(call)
				if x.Kind() != "identifier" || x.Text() != name || strings.HasPrefix(fn, "New") || fn == "Seed" || fn == "Shuffle" || fn == "Perm" {
					continue
				}
				if purpose := purposeOf(p, call); secretPurpose.MatchString(purpose) && !otherPurpose.MatchString(purpose) {
					p.Report(call, "used for "+purpose)
				}
			}
		},
	}
}

// purposeOf is the name the value of call is given, or else the name of the
// function around it when that one makes something.
func purposeOf(p *rule.Pass, call syntax.Node) string {
	stmt := call.Enclosing("short_var_declaration", "assignment_statement", "var_spec", "block")
	if stmt.Kind() == "short_var_declaration" || stmt.Kind() == "assignment_statement" {
		if l := list(stmt.ChildByField("left")); len(l) == 1 && l[0].Kind() == "identifier" && secretPurpose.MatchString(l[0].Text()) {
			return l[0].Text()
		}
	}
	fn := call.Enclosing("function_declaration", "method_declaration").ChildByField("name").Text()
	if maker.MatchString(fn) {
		return fn
	}
	return ""
}

var maker = regexp.MustCompile(`^(?i)(new|gen|generate|make|create|random|rand|issue|build|get)\w*(token|password|passwd|secret|session_?id|api_?key|nonce|salt|otp|code|csrf)$`)

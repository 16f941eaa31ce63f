package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	secretPurpose = regexp.MustCompile(`(?i)(token|password|passwd|secret|session_?id|api_?key|nonce|\bsalt\b|otp|` +
		`verification_?code|reset_?code|private_?key|csrf)`)
	otherPurpose = regexp.MustCompile(`(?i)tokens?(count|ize|izer|len|idx|index|num|bucket)|\bidempotency|retry|jitter|` +
		`test|bench|example|fake|mock|sample`)
)

// WeakRandom looks for math/rand inside functions or assignments whose name
// says that the value is a secret.
func (*checks) WeakRandom(p *rule.Pass) {
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
}

// purposeOf is the name the value of call is given, or else the name of the
// function around it when that one makes something.
func purposeOf(p *rule.Pass, call rule.Node) string {
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

var maker = regexp.MustCompile(`^(?i)(new|gen|generate|make|create|random|rand|issue|build|get)\w*(token|password|passwd|` +
	`secret|session_?id|api_?key|nonce|salt|otp|code|csrf)$`)

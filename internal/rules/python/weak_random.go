package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	secretName = regexp.MustCompile(`(?i)(^|_)(token|secret|password|passwd|otp|salt|api_?key|session_?id|sessionid|` +
		`reset_?code|verification_?code|csrf|auth_?code)s?$`)
	secretMaker = regexp.MustCompile(`(?i)(^|_)(generate|gen|make|create|new|random)_.*(token|secret|password|otp|salt|` +
		`api_?key|session_?id|csrf|verification_?code)$`)
	randomDrawing = regexp.MustCompile(`^random\.(random|randint|randrange|choice|choices|getrandbits|sample|randbytes|uniform)$`)
)

func (*checks) WeakRandom(p *rule.Pass) {
	ml := imported(p, "torch", "tensorflow", "transformers", "numpy", "nltk", "spacy")
	for _, call := range p.Calls() {
		if !randomDrawing.MatchString(callee(p, call)) {
			continue
		}
		if fn := p.Function(call); fn.Kind() == "function_definition" && secretMaker.MatchString(fn.ChildByField("name").Text()) {
			p.Report(call, "")
			continue
		}
		if ml || strings.Contains(p.Scope(call).ChildByField("name").Text(), "boundary") {
			continue // tokens of a text, parts of a mail
		}
		statement := call.Enclosing("assignment", "keyword_argument", "expression_statement", "return_statement", "if_statement")
		name := ""
		switch statement.Kind() {
		case "assignment":
			name = lastWord(statement.ChildByField("left"))
		case "keyword_argument":
			name = statement.ChildByField("name").Text()
		}
		if secretName.MatchString(name) && !strings.HasPrefix(name, "next_") && !strings.HasPrefix(name, "fake") {
			p.Report(statement, "")
		}
	}
}

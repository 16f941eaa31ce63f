package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	secretName    = regexp.MustCompile(`(?i)(^|_)(token|secret|password|passwd|otp|salt|api_?key|session_?id|sessionid|reset_?code|verification_?code|csrf|auth_?code)s?$`)
	secretMaker   = regexp.MustCompile(`(?i)(^|_)(generate|gen|make|create|new|random)_.*(token|secret|password|otp|salt|api_?key|session_?id|csrf|verification_?code)$`)
	randomDrawing = regexp.MustCompile(`^random\.(random|randint|randrange|choice|choices|getrandbits|sample|randbytes|uniform)$`)
)

func weakRandom() rule.Rule {
	return rule.Rule{
		ID: "python/weak-random", Title: "Secret made with the predictable random module",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "random is a Mersenne Twister: after some hundred outputs every later one can be computed, and the seed can be guessed.",
		Suggestion:  "Use the secrets module: secrets.token_urlsafe(), secrets.choice().",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import random, string`, `def reset(user):`, `    token = "".join(random.choice(string.ascii_letters) for _ in range(32))`, `    user.send(token)`),
			code(`from random import randint`, `def generate_otp():`, `    return str(randint(100000, 999999))`),
			code(`import random`, `class A:`, `    def __init__(self):`, `        self.session_id = random.getrandbits(64)`),
		},
		Good: []rule.Sample{
			code(`import secrets`, `def reset():`, `    token = secrets.token_hex(16)`, `    return token`),
			code(`import random`, `def roll():`, `    return random.randint(1, 6)`),
			code(`import random`, `def jitter(tokens):`, `    delay = random.random()`, `    next_token = random.choice(tokens)`, `    return delay, next_token`),
			code(`import random`, `rng = random.SystemRandom()`, `password = rng.choice("abc")`),
		},
		Check: func(p *rule.Pass) {
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
		},
	}
}

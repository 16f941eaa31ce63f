package rule

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	logs = map[string]*regexp.Regexp{
		"python": regexp.MustCompile(`(?i)(^|\.)(logging|logger|log|_logger|_log)\.(debug|info|warning|warn|error|exception|` +
			`critical)$`),
		"javascript": regexp.MustCompile(`^((this\.)?(console|logger|log|winston))\.(log|info|debug|warn|error|trace)$`),
		"java": regexp.MustCompile(`^(log|logger|LOG|LOGGER)\.(trace|debug|info|warn|error|fine|severe)$|^System\.(out|` +
			`err)\.(println|print|printf)$`),
		"go": regexp.MustCompile(`^(log|logger|logrus|slog|glog|fmt)\.(Print|Info|Debug|Warn|Error|Fatal|Panic)\w*$`),
		"php": regexp.MustCompile(`^(error_log|syslog|Log\.(info|debug|error|warning)|\$(this\.)?log(ger)?\.(info|debug|error|` +
			`warning))$`),
		"ruby": regexp.MustCompile(`(^|\.)logger\.(info|debug|warn|error)$|^puts$`),
	}
	secretName = regexp.MustCompile(`(?i)^[$@]?(user_?|new_?|plain_?|raw_?|db_?)?(password|passwd|pwd|api_?key|secret_?key|` +
		`access_?token|refresh_?token|` +
		`auth_?token|client_?secret|private_?key|passphrase|credit_?card(_?number)?|card_?number|cvv|ssn|(encoded_)?jwt(_?token)?|` +
		`session_?token|reset_?token|otp(_?code)?|hashed_?(password|pwd|pw)|password_?hash|pw_?hash)$`)
	wholeLogin = regexp.MustCompile(`^(req\.body|(await )?request\.(form|POST|json|data|post\(\)|json\(\)|get_json\((force=True)?\))|` +
		`\$_POST|params)$`)
	enteredSecret = regexp.MustCompile(`^(self\.)?(request|req)\.\w+\.get\(['"](new_|old_|user_)?` +
		`(password|passwd|pwd|api_key|token)['"][^()]*\)$`)
	loginCode = regexp.MustCompile(`(?i)password|passwd`)
	webCode   = regexp.MustCompile(`\b(flask\w*|django|fastapi|sanic|bottle|aiohttp|tornado|connexion|jose|express|` +
		`koa|HttpServlet|RestController|gin-gonic|net/http)\b`)
)

// CheckLoggedSecrets is the Check of every language's logged-secret rule: a password, a key or a token, or the whole of a form that has
// one, is written to a log or to the output of a server.
func CheckLoggedSecrets(p *Pass) {
	if offline.MatchString(p.Path) { // whose output is for whoever ran it
		return
	}
	for _, call := range p.Calls() {
		name := p.Callee(call)
		prints := p.Language == "python" && name == "print" || p.Language == "go" && strings.HasPrefix(name, "fmt.") ||
			strings.HasPrefix(name, "System.") || name == "puts"
		if prints && !p.servesWeb() || !prints && !logs[p.family()].MatchString(name) {
			continue
		}
		for _, a := range p.Args(call) {
			if secret := p.loggedPart(a, 0); secret.Valid() && !p.justMade(secret) {
				p.Report(call, FirstLine(secret))
				break
			}
		}
	}
}

// servesWeb tells whether a file is of a server, whose output others read.
func (p *Pass) servesWeb() bool {
	return strings.Contains(p.Path, "controller") || p.FileHas(webCode)
}

// justMade tells whether a secret is made by chance in the function that shows it: whoever starts the program has no other way to learn
// it.
func (p *Pass) justMade(secret syntax.Node) bool {
	return p.Language == "python" && passwordLike.MatchString(secret.Text()) && p.ScopeHas(secret, drawn)
}

var (
	passwordLike = regexp.MustCompile(`(?i)^(self\.)?\w*(password|passwd|pwd)$`)
	drawn        = regexp.MustCompile(`\b(os\.urandom|secrets\.\w+|uuid4)\(|get_random_string|generate_password\(`)
)

// loggedPart finds the secret in what is logged: pasted into a text, or handed over as it is. What a function makes of one is none.
func (p *Pass) loggedPart(n syntax.Node, depth int) syntax.Node {
	n = Bare(n)
	kind := n.Kind()
	_, member := p.grammar.members[kind]
	_, index := p.grammar.indexes[kind]
	switch {
	case depth > 20 || !n.Valid():
	case wholeLogin.MatchString(n.Text()):
		if p.ScopeHas(n, loginCode) {
			return n
		}
	case p.IsName(n) && p.Language == "python" && wholeLogin.MatchString(p.Only(p.Scope(n), n).Text()) && p.ScopeHas(n, loginCode):
		return n
	case p.IsCall(n) && enteredSecret.MatchString(n.Text()):
		return n
	case p.IsName(n) && p.Language == "python" && n.Text() == "token" && p.FileHas(webCode):
		return n
	case p.IsCall(n) && p.Language == "ruby" && len(p.Args(n)) == 0 && secretName.MatchString(p.Method(n)):
		return n
	case member, index, p.IsName(n):
		if secretName.MatchString(lastWord(n.Text())) && strings.ToUpper(lastWord(n.Text())) != lastWord(n.Text()) {
			return n
		}
	case kind == "pair":
		return p.loggedPart(n.ChildByField("value"), depth+1)
	case p.IsString(n), OneOf(kind, "interpolation", "template_substitution", "object", "tuple", "array", "dictionary", "hash"),
		OneOf(kind, "binary_expression", "binary_operator", "binary") && OneOf(n.Operator(), "+", "%", "."):
		for c := range n.NamedChildren() {
			if found := p.loggedPart(c, depth+1); found.Valid() {
				return found
			}
		}
	}
	return syntax.Node{}
}

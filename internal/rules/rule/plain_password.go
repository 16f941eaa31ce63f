package rule

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

const passwordWord = `(user_?|u_?|account_?)?(password|passwd|pwd|pass|psw|upass|senha)`

var (
	// hashing are words of what makes a hash of a password, or checks one.
	hashing = regexp.MustCompile(`(?i)hash|crypt|md5|sha_?\d|digest|pbkdf|argon|hmac|passlib|encod(e|er)\(?\)?|password_verify|` +
		`check_?password|` +
		`set_?password\(|authenticate\(|make_password|hasher|cipher`)
	storedPassword = regexp.MustCompile(`(?i)^\$?[\w$.]+(->\w+)*(\[\w+\])?(\.|->|\[\s*['":])` + passwordWord + `['"\]]*$|` +
		`^[\w.]+\.get` + passwordWord + `\(\)$|^\w+\.(getString|get|getObject)\("` + passwordWord + `"\)$`)
	enteredPassword = regexp.MustCompile(`(?i)^\$?(user_?|input_?|entered_?|login_?|given_?|plain_?)?` + passwordWord + `(_?input)?$|` +
		`^\$?[\w.$>-]*(form|req|request|body|data|input|params|payload|dto|credentials|_post|_request|login\w*|creds)[\w$]*(\.\w+\(\))?` +
		`(\.|->|\[\s*['":]|\.(get|getParameter|FormValue|PostForm|input)\(['"])` + passwordWord + `['")\]]*(\.data|\.strip\(\)|` +
		`\.trim\(\))?$`)
	enteredBase = regexp.MustCompile(`(?i)^\$?(self|this|other|that|_post|_get|_request|form\w*|\w*req(uest)?|body|data|\w*input\w*|` +
		`params|values|state|` +
		`props|args|options|opts|payload|\w*dto|cred\w*|conf(ig)?|settings|env|url|uri|event|ctx|cmd|fields|errors|login\w*)$`)
	confirmed = regexp.MustCompile(`(?i)confirm|again|repeat|retype|new|old|current|verify_|password_?2|hash|encrypted|digest`)
	checker   = regexp.MustCompile(`(?i)(check|verify|valid|compare|match|authenticate|login)`)

	insertsPassword = regexp.MustCompile(`(?is)\binsert\s+(ignore\s+)?into\s+[\x60"\[]?\w*(user|account|member|admin|customer|student|` +
		`employee|login|` +
		`staff|teacher|patient|client|regist|signup)\w*[\x60"\]]?\s*\([^)]*\b` + passwordWord + `\b`)
	looksUp = regexp.MustCompile(`(?is)\bselect\b.*\bfrom\b.*\bwhere\b.*\b` + passwordWord + `[\x60"\]]?\s*=\s*['"?:%{@$\\]`)
	// reads tells of a scope that it takes the password out of a request.
	reads = regexp.MustCompile(`(?i)(request|req\.|\$_(POST|REQUEST|GET)|params|getParameter|FormValue|PostForm|form|body|` +
		`get_json)[\w.()\[\]'":]{0,24}` +
		`(password|passwd|pwd|psw|pass|senha)\b|\{[^{}]*\bpass(word|wd)?\b[^{}]*\}\s*=\s*(await\s+)?(req|request|ctx\.request)\.body`)
	lookup   = regexp.MustCompile(`^(filter_by|find_by|findOne|find_one|findFirst|where|get|find|findOneBy)$`)
	byColumn = regexp.MustCompile(`(?i)[({,\s]['":]?` + passwordWord + `['"]?\s*(=|:|=>)\s*[^=\s]|\{[^{}:]*\bpassword\b[^{}:]*\}`)
)

// CheckPlainPasswords is the Check of every language's plain-password rule: what the user enters is compared with what is stored, looked
// up in the database, or stored, and nothing in sight makes a hash of it.
func CheckPlainPasswords(p *Pass) {
	for _, c := range p.Comparisons() {
		stored, entered := c.Left, c.Right
		if !p.isStored(stored) || !isEntered(entered) {
			stored, entered = entered, stored
		}
		if p.isStored(stored) && isEntered(entered) && stored.Text() != entered.Text() && !p.scopeHas(c.Node, hashing) {
			p.Report(c.Node, FirstLine(stored)+" is compared with what was entered")
		}
	}
	p.plainStatements()
	for _, call := range p.Calls() {
		method := p.Method(call)
		switch {
		case strings.HasPrefix(method, "findBy") && strings.HasSuffix(method, "AndPassword"):
		case !lookup.MatchString(method), method == "get" && !strings.HasSuffix(p.Callee(call), "objects.get"):
			continue
		case method == "find" && p.family() == "javascript" && p.Arg(call, 0).Kind() != "object":
			continue
		case !byColumn.MatchString(call.ChildByField("arguments").Text()) || strings.Contains(call.Text(), "=>") && p.family() == "javascript":
			continue
		}
		if !p.scopeHas(call, hashing) {
			p.Report(call, "users are looked up by their password")
		}
	}
}

func isEntered(n syntax.Node) bool {
	text := n.Text()
	return len(text) < 120 && enteredPassword.MatchString(text) && !confirmed.MatchString(text)
}

// isStored tells whether n is the password of a record, and not one of a form, a setting or an object that is compared.
func (p *Pass) isStored(n syntax.Node) bool {
	text := n.Text()
	if len(text) > 120 || !storedPassword.MatchString(text) || confirmed.MatchString(text) {
		return false
	}
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(text, "->", "."), "[", "."), ".")
	if OneOf(base, "self", "this", "$this") {
		name := p.Function(n).ChildByField("name").Text()
		return checker.MatchString(name) && strings.Count(text, ".")+strings.Count(text, "->") == 1
	}
	return !enteredBase.MatchString(base) && !enteredBase.MatchString(LastName(text[:strings.LastIndexAny(text, ".>[")]))
}

// longestText bounds a text that is judged as one: what is longer was not written by hand.
const longestText = 4000

// scopeHas tells whether the function around n, or else the file, holds what the pattern matches. It is looked up once a scope.
func (p *Pass) scopeHas(n syntax.Node, pattern *regexp.Regexp) bool {
	scope := p.Scope(n)
	return Memo(p, fmt.Sprintf("rule.scope.%p.%d", pattern, scope.Start()), func() bool { return pattern.MatchString(scope.Text()) })
}

// fileHas tells whether the file holds what the pattern matches.
func (p *Pass) fileHas(pattern *regexp.Regexp) bool {
	return Memo(p, fmt.Sprintf("rule.file.%p", pattern), func() bool { return pattern.Match(p.Tree.Source()) })
}

// joined tells whether n is what puts texts together.
func joined(n syntax.Node) bool {
	return OneOf(n.Kind(), "binary_expression", "binary", "binary_operator", "parenthesized_expression", "concatenated_string")
}

// plainStatements reports SQL that finds a user by a password, or stores one that a request brought.
func (p *Pass) plainStatements() {
	for _, kind := range p.grammar.strings {
		for _, n := range p.Nodes(kind) {
			whole := n
			for up := 0; up < nameDepth && joined(whole.Parent()); up++ {
				whole = whole.Parent()
			}
			if whole.End()-whole.Start() > longestText {
				continue
			}
			text := whole.Text()
			if lower := strings.ToLower(text); !HasAny(lower, "pass", "pwd", "psw", "senha") || !HasAny(lower, "select", "insert") ||
				hashing.MatchString(text) || strings.Contains(text, "PASSWORD(") {
				continue
			}
			switch {
			case looksUp.MatchString(text) && !p.scopeHas(n, hashing):
				p.Report(whole, "users are looked up by their password")
			case insertsPassword.MatchString(text) && p.scopeHas(n, reads) && !p.fileHas(hashing):
				p.Report(whole, "what the request brought is stored")
			}
		}
	}
}

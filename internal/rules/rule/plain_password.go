package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

const passwordWord = `(user_?|u_?|account_?)?(password|passwd|pwd|pass|psw|upass|senha|parola|passwort|kennwort|contrasena|motdepasse)`

var (
	// hashing are words of what makes a hash of a password, or checks one.
	hashing = regexp.MustCompile(`(?i)hash|crypt|md5|sha_?\d|digest|pbkdf|argon|hmac|passlib|encoder|` +
		`(password|passwd|pwd|pass|pw)\.encode\(|encode_?pass|password_verify|` +
		`check_?password|` +
		`set_?password\(|authenticate\(|make_password|hasher|cipher`)
	storedPassword = regexp.MustCompile(`(?i)^\$?[\w$.]+(->\w+)*(\[\w+\])?(\.|->|\[\s*['":])` + passwordWord + `['"\]]*$|` +
		`^[\w.]+\.get` + passwordWord + `\(\)$|^\w+\.(getString|get|getObject)\("` + passwordWord + `"\)$`)
	enteredPassword = regexp.MustCompile(`(?i)^\$?(user_?|input_?|entered_?|login_?|given_?|plain_?)?` +
		passwordWord + `(_?(input|plain))?$|` +
		`^\$?[\w.$>-]*(form|req|request|body|data|input|params|payload|dto|credentials|_post|_request|login\w*|creds)[\w$]*(\.\w+\(\))?` +
		`(\.|->|\[\s*['":]|\.(get|getParameter|FormValue|PostForm|input)\(['"])` + passwordWord + `['")\]]*(\.data|\.strip\(\)|` +
		`\.trim\(\))?$|^\w*(password|passwd)_?(plain|clear|raw)(_?text)?$|^\w+\.(Post)?FormValue\("` + passwordWord + `"\)$`)
	enteredBase = regexp.MustCompile(`(?i)^\$?(self|this|other|that|_post|_get|_request|form\w*|\w*req(uest)?|body|data|\w*input\w*|` +
		`params|values|state|` +
		`props|args|options|opts|payload|\w*dto|cred\w*|conf(ig)?|settings|env|url|uri|event|ctx|cmd|fields|errors|login\w*|auth|` +
		`authentication)$`)
	keptPassword = regexp.MustCompile(`(?i)^(db|stored|saved|real|actual|correct)_?(password|passwd|pwd|pass)$`)
	confirmed    = regexp.MustCompile(`(?i)confirm|again|repeat|retype|new|old|current|verify_|password_?2|hash|encrypted|digest`)
	checker      = regexp.MustCompile(`(?i)(check|verify|valid|compare|match|authenticate|login)`)

	insertsPassword = regexp.MustCompile(`(?is)\binsert\s+(ignore\s+)?into\s+[\x60"\[]?\w*(user|account|member|admin|customer|student|` +
		`employee|login|` +
		`staff|teacher|patient|client|merchant|seller|vendor|owner|doctor|manager|operator|regist|signup)\w*[\x60"\]]?` +
		`\s*\([^)]*\b` + passwordWord + `\b`)
	insertsPerson = regexp.MustCompile(`(?is)\binsert\s+into\s+[\x60"\[]?\w*(user|account|member|admin|customer|student|employee|login|` +
		`staff|teacher|patient|client|merchant|seller|vendor|owner|doctor|manager|operator|regist|signup)\w*[\x60"\]]?\s+values\s*\(`)
	// columnByNumber is one of a row that was fetched: user[2], rows[0][1].
	columnByNumber  = regexp.MustCompile(`(?i)^(user|row|account|data|result|record|res|rec|member|admin|student|customer|u)s?(\[\d+\]){1,2}$`)
	updatesPassword = regexp.MustCompile(`(?is)\bupdate\s+[\x60"\[]?\w*(user|account|member|admin|customer|student|employee|login|` +
		`staff|teacher|patient|client|merchant|seller|vendor|owner|doctor|manager|operator)\w*[\x60"\]]?\s+set\b[^;]*\b` +
		passwordWord + `[\x60"\]]?\s*=\s*['"?:%{@$\\]`)
	personClass = regexp.MustCompile(`^([A-Z]\w*)?(User|Account|Customer|Member|Student|Admin|Employee|Staff|Patient|Doctor|Teacher|Client|` +
		`Person|Profile|Seller|Owner|Login|Register)(s|Model|Info|DB)?$`)
	looksUp = regexp.MustCompile(`(?is)\bselect\b.*\bfrom\b.*\bwhere\b.*\b` + passwordWord + `[\x60"\]]?\s*=\s*['"?:%{@$\\]`)
	// reads tells of a scope that it takes the password out of a request.
	reads = regexp.MustCompile(`(?i)(request|req\.|\$_(POST|REQUEST|GET)|params|getParameter|FormValue|PostForm|form|body|content|` +
		`data|payload|` +
		`get_json)[\w.()\[\]'":]{0,24}` +
		`(password|passwd|pwd|psw|pass|senha)\b|\{[^{}]*\bpass(word|wd)?\b[^{}]*\}\s*=\s*(await\s+)?(req|request|ctx\.request)\.body`)
	lookup   = regexp.MustCompile(`^(filter_by|find_by|findOne|find_one|findFirst|where|get|find|findOneBy)$`)
	byColumn = regexp.MustCompile(`(?i)[({,\s]['":]?` + passwordWord + `['"]?\s*(=|:|=>)\s*[^=\s]|\{[^{}:]*\bpassword\b[^{}:]*\}`)
)

// CheckPlainPasswords is the Check of every language's plain-password rule: what the user enters is compared with what is stored, looked
// up in the database, or stored, and nothing in sight makes a hash of it.
func CheckPlainPasswords(p *Pass) {
	said := map[syntax.Node]bool{} // one function does it once, however often it asks
	for _, c := range p.Comparisons() {
		stored, entered := c.Left, c.Right
		if !p.isStored(stored) || !isEntered(entered) {
			stored, entered = entered, stored
		}
		if connects.MatchString(p.Class(c.Node).ChildByField("name").Text()) {
			continue
		}
		if p.isStored(stored) && isEntered(entered) && stored.Text() != entered.Text() && !p.hashes(p.Scope(c.Node)) &&
			!said[p.Scope(c.Node)] {
			said[p.Scope(c.Node)] = true
			p.Report(c.Node, FirstLine(stored)+" is compared with what was entered")
		}
	}
	p.plainStatements()
	p.plainRecords()
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
		if !p.hashes(p.Scope(call)) {
			p.Report(call, "users are looked up by their password")
		}
	}
}

// hashes tells whether the code of n, without its comments, makes a hash of a password or checks one.
func (p *Pass) hashes(n syntax.Node) bool {
	return MemoOf(p, "rule.hashes", n, func() bool {
		var code strings.Builder
		at, src := n.Start(), p.Tree.Source()
		for c := range n.Find("comment", "line_comment", "block_comment") {
			if c.Start() >= at {
				code.Write(src[at:c.Start()])
				at = c.End()
			}
		}
		code.Write(src[at:n.End()])
		return hashing.MatchString(code.String())
	})
}

// connects matches classes that hold the password by which the program itself enters another one.
var connects = regexp.MustCompile(`Connection|DataSource|Pool|Driver`)

func isEntered(n syntax.Node) bool {
	text := n.Text()
	return len(text) < 120 && enteredPassword.MatchString(text) && !confirmed.MatchString(text)
}

// isStored tells whether n is the password of a record, and not one of a form, a setting or an object that is compared.
func (p *Pass) isStored(n syntax.Node) bool {
	text := n.Text()
	if keptPassword.MatchString(text) || p.Language == "python" && columnByNumber.MatchString(text) {
		return true
	}
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
			if lower := strings.ToLower(text); !HasAny(lower, "select", "insert", "update") ||
				!HasAny(lower, "pass", "pwd", "psw", "senha", "values") ||
				hashing.MatchString(text) || strings.Contains(text, "PASSWORD(") {
				continue
			}
			switch {
			case looksUp.MatchString(text) && !p.hashes(p.Scope(n)):
				p.Report(whole, "users are looked up by their password")
			case insertsPerson.MatchString(text) && !p.hashes(p.Tree.Root()) && p.hasEntered(whole) && (p.ScopeHas(n, reads) || p.takesPassword(n)):
				p.Report(whole, "what the request brought is stored")
			case (insertsPassword.MatchString(text) || updatesPassword.MatchString(text)) &&
				(p.hasEntered(whole) && p.ScopeHas(n, reads) && !p.hashes(p.Scope(n)) || !p.hashes(p.Tree.Root()) &&
					(p.ScopeHas(n, reads) || p.FileHas(looksUp) && p.takesPassword(n))):
				p.Report(whole, "what the request brought is stored")
			}
		}
	}
}

// hasEntered tells whether a statement is made of a password as it was entered, or is run with one.
func (p *Pass) hasEntered(statement syntax.Node) bool {
	found := func(n syntax.Node) bool { return p.IsName(n) && isEntered(n) }
	call := statement.Parent().Parent()
	return Within(statement, found) || p.IsCall(call) && call.End()-call.Start() < longestText && Within(p.Arg(call, 1), found)
}

// takesPassword tells whether the function around n is handed a password.
func (p *Pass) takesPassword(n syntax.Node) bool {
	return slices.ContainsFunc(p.ParameterNames(p.Function(n)), plainName.MatchString)
}

var plainName = regexp.MustCompile(`(?i)^` + passwordWord + `$`)

// plainRecords reports records of people that are made with a password as it was entered: by Python's models, whose class stands in
// the file and has no hash, or by Django's create, which makes none.
func (p *Pass) plainRecords() {
	if p.Language != "python" {
		return
	}
	classes := p.Unique(func(n syntax.Node) string { return n.ChildByField("name").Text() }, "class_definition")
	for _, call := range p.Calls() {
		callee := p.Callee(call)
		class, isCreate := strings.CutSuffix(callee, ".objects.create")
		if !personClass.MatchString(class) || !isCreate && !tableOf(classes[class]) || p.hashes(p.Scope(call)) {
			continue
		}
		for _, a := range p.Args(call) {
			if isEntered(a) && (p.ScopeHas(call, reads) || p.takesPassword(call)) {
				p.Report(call, "what was entered is stored")
			}
		}
		if k := p.Keyword(call, "password"); isEntered(k) && (p.ScopeHas(call, reads) || p.takesPassword(call)) {
			p.Report(call, "what was entered is stored")
		}
	}
}

// tableOf tells whether a class is a table of a database that makes no hash of what it is given.
func tableOf(class syntax.Node) bool {
	if !class.Valid() || class.End()-class.Start() > longestText || hashing.MatchString(class.Text()) {
		return false
	}
	base := class.ChildByField("superclasses").Text()
	return strings.Contains(base, "db.Model") || strings.Contains(class.Text(), "Column(")
}

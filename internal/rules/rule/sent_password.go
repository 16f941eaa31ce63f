package rule

import (
	"regexp"
	"strings"
)

var (
	recordMethod = regexp.MustCompile(`(?i)^(to_?dict|as_?dict|to_?json|serialize|serialise|get_data|json)(_\w+)?$`)
	answerCall   = regexp.MustCompile(`(^|\.)(jsonify|JsonResponse|JSONResponse)$|^(res|resp|response|reply)\b.*\.(json|send)$|` +
		`^json_encode$|^response\.json$|^(jwt|jsonwebtoken)\.sign$`)
	answersJSON  = regexp.MustCompile(`\b(jsonify|JsonResponse|JSONResponse|json_response)\(`)
	rowColumn    = regexp.MustCompile(`^(row|r|u|user|rec|record|line|item|result)\[\d+\]$`)
	heldPassword = regexp.MustCompile(`(?i)^\$?(this|self|[\w$]*(user|row|account|member|customer|record|result|u|r))(\.|->|` +
		`\[\s*['"])(user_?)?` +
		`(password|passwd|pwd|password_?hash|hashed_?password|pass)['"\]]*$`)
	passwordColumn = regexp.MustCompile(`(?is)\bselect\b[^;]*?\b(password|passwd|pwd|password_hash|hashed_password)\b[^;]*?\bfrom\b`)
	manyRows       = regexp.MustCompile(`(?i)fetchall|fetch_all|\.all\(|\brows\b|results`)
	signsIn        = regexp.MustCompile(`(?i)check_?password|password_verify|compare|\.pop\(|verify|del \w+\[|delete \w+|unset\(|login|` +
		`authenticate`)
)

// CheckSentPasswords is the Check of every language's sent-password rule: an answer holds the password, or its hash, of a user's record.
func CheckSentPasswords(p *Pass) {
	for _, n := range p.Nodes("pair", "array_element_initializer") {
		key, value := n.ChildByField("key"), n.ChildByField("value")
		if !key.Valid() && n.NumNamed() == 2 {
			key, value = n.NamedChild(0), n.NamedChild(1)
		}
		if secretColumn(key.Text()) && p.Language == "python" && rowColumn.MatchString(value.Text()) && p.ScopeHas(n, answersJSON) &&
			p.ScopeHas(n, passwordColumn) && !p.ScopeHas(n, signsIn) {
			p.Report(n, "")
			continue
		}
		if !secretColumn(key.Text()) || !heldPassword.MatchString(value.Text()) {
			continue
		}
		method := p.Function(n).ChildByField("name").Text()
		answer := func(call Node) bool { return answerCall.MatchString(p.Callee(call)) }
		if recordMethod.MatchString(method) || Any(Around(n, p.grammar.calls...), answer) || p.family() == "javascript" && p.Answer(n).Valid() {
			p.Report(n, "")
		}
	}
	p.sentWhole()
	for _, n := range p.Nodes("keyword_argument") { // jsonify([dict(name=row[0], password=row[1]) for row in rows])
		if secretColumn(n.ChildByField("name").Text()) && p.Callee(n.Parent().Parent()) == "dict" &&
			(heldPassword.MatchString(n.ChildByField("value").Text()) || rowColumn.MatchString(n.ChildByField("value").Text())) &&
			p.ScopeHas(n, answersJSON) && !p.ScopeHas(n, signsIn) {
			p.Report(n, "")
		}
	}
	for _, call := range p.Calls() { // SELECT name, password FROM users, and all rows are sent
		if !answerCall.MatchString(p.Callee(call)) || !p.isRows(p.Arg(call, 0)) {
			continue
		}
		if p.ScopeHas(call, passwordColumn) && !p.ScopeHas(call, signsIn) && p.ScopeHas(call, manyRows) {
			p.Report(call, "its rows hold the column of passwords")
		}
	}
}

// sentWhole reports a record whose password a function compares, and which it then sends as it is.
func (p *Pass) sentWhole() {
	if p.family() != "javascript" {
		return
	}
	for _, c := range p.Comparisons() {
		for _, side := range []Node{c.Left, c.Right} {
			m := recordPassword.FindStringSubmatch(side.Text())
			if m == nil || c.Node.End()-c.Node.Start() > longestText {
				continue
			}
			fn := p.Function(c.Node)
			if !fn.Valid() || hidden.MatchString(fn.Text()) {
				continue
			}
			for call := range fn.Find(p.grammar.calls...) {
				if answerCall.MatchString(p.Callee(call)) && p.sends(p.Arg(call, 0), m[1]) {
					p.Report(call, m[1]+" has the password that was compared")
				}
			}
		}
	}
}

// sends tells whether an answer is, or has as a value, the whole of what name holds.
func (p *Pass) sends(answer Node, name string) bool {
	if answer.Text() == name {
		return true
	}
	return answer.Kind() == "object" && Any(answer.NamedChildren(), func(c Node) bool {
		return c.Kind() == "shorthand_property_identifier" && c.Text() == name || c.ChildByField("value").Text() == name
	})
}

var (
	recordPassword = regexp.MustCompile(`^(?:\w+\()?(\w*(?:user|account|member|customer|admin|found)\w*)(?:\[0\])?\.` +
		`(?:password|passwd|pwd)\)?$`)
	hidden = regexp.MustCompile(`(?i)delete \w+|password\s*=\s*(undefined|null|''|"")|toJSON|select\(|omit\(|exclude|sanitiz`)
)

func secretColumn(key string) bool {
	key = strings.ToLower(strings.Trim(key, `"':`))
	return OneOf(key, "password", "passwd", "pwd", "password_hash", "passwordhash", "hashed_password", "pass")
}

// isRows tells whether n is a plain variable that is called as the rows of a query are, or a list made of them whole.
func (p *Pass) isRows(n Node) bool {
	text := strings.TrimLeft(n.Text(), "$")
	return p.IsName(n) && regexp.MustCompile(`^(rows|users|results?|data|accounts|members|all_?users|records)$`).MatchString(text) ||
		regexp.MustCompile(`^\[dict\(\w+\) for \w+ in \w+\]$`).MatchString(text)
}

package redact

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// place is where a setting stands; it tells how far a value without quotes reaches.
type place int

const (
	nowhere place = iota
	line          // name at the start of a line: to its end
	word          // NAME=value among words: to a blank
	quoted        // "name=value", 'Name: value': to the quote
	flow          // {name: value, ...}: to a comma or the closing bracket
	option        // --name=value, --name value: to a blank
	query         // ?name=value&...: to the next parameter
	field         // Name=value;... or name=value name=value of a connection string
	element       // <name>value</name>
)

// span is a name or a value: bounds in a text.
type span struct{ from, to int }

// name is what holds a secret, as far as its keyword says.
type name struct {
	text  string
	span         // of the name
	tail  string // what follows the keyword in the name
	where place
	f     format
}

// sign is what stands between a name and its value.
type sign struct {
	kind   byte // '=', ':', ',', '(', ' ', or 0 for none
	quoted bool // a quote closes the name
	tight  bool // no blanks around it
	next   int  // where the value begins
}

// setting finds the value that is given to the name with the keyword at text[start:end].
func setting(text string, start, end int, f format) (int, int) {
	from, to := start, end
	for from > 0 && start-from < 100 && isNameByte(text[from-1]) {
		from--
	}
	for to < len(text) && to-end < 48 && isNameByte(text[to]) {
		to++
	}
	if !standsAlone(text, start, end, from, to) {
		return 0, 0
	}
	s := signAfter(text, to)
	if s.kind == ' ' && !s.quoted && f&(ini|docker|netrc) == 0 && text[from] != '-' && !(from > 0 && (text[from-1] == '<' ||
		text[from-1] == ':')) && !(s.next < len(text) && isQuote(text[s.next])) &&
		!besideMachine(text, from) {
		return 0, 0
	}
	n := name{text: text[from:to], span: span{from, to}, tail: text[end:to], f: f}
	if f&code != 0 && s.kind == 0 && !s.quoted {
		return 0, 0
	}
	if s.kind == 0 || s.kind == ',' || s.kind == ' ' && s.quoted || s.kind == ':' && s.next < len(text) &&
		strings.IndexByte("\r\n{", text[s.next]) >= 0 {
		if v := pair(text, n, s); v.to > 0 {
			return v.from, v.to
		}
	}
	n.where = placeOf(text, from, f)
	if n.where == quoted && s.quoted {
		n.where = line
	}
	v := valueOf(text, n, s)
	if v.from >= v.to {
		return 0, 0
	}
	if !n.secret(text[v.from:v.to], n.level(s)) {
		return 0, 0
	}
	return v.from, v.to
}

func isNameByte(b byte) bool { return isWord(b) || b == '-' || b == '.' }

// shortKeywords are words that stand in other words, too: compass, bypass.
var shortKeywords = map[string]bool{"pass": true, "pwd": true, "psk": true, "pw": true}

// beforeShort are what short keywords are written together with.
var beforeShort = pattern.New(`(?i)(?:^|[^a-z])(?:db|smtp|mysql|require|root|user|bind|rpc|admin|ftp|mail|ldap|redis|proxy|auth` +
	`|sasl|my|ssh|pg|wpa|store|key|trust)$`)

func standsAlone(text string, start, end, from, to int) bool {
	if tail := text[end:to]; tail != "" && isLower(tail[0]) && isLower(text[end-1]) && strings.TrimLeft(tail, "s") != "" &&
		isLower(strings.TrimPrefix(tail, "s")[0]) {
		return false // tokenizer, secretary
	}
	if end-start > 4 || !shortKeywords[strings.ToLower(text[start:end])] {
		return true
	}
	if end < to && isLetter(text[end]) && (isLower(text[end]) || !isLower(text[end-1])) {
		return false
	}
	return start == from || !isLetter(text[start-1]) || isLower(text[start-1]) && !isLower(text[start]) ||
		beforeShort.MatchString(text[from:start])
}

func isLower(b byte) bool  { return b >= 'a' && b <= 'z' }
func isLetter(b byte) bool { return isLower(b) || b >= 'A' && b <= 'Z' }
func isBlank(b byte) bool  { return b == ' ' || b == '\t' }
func isQuote(b byte) bool  { return b == '"' || b == '\'' || b == '`' }

// signAfter reads what follows a name.
func signAfter(text string, i int) sign {
	s := sign{tight: true}
	if i < len(text) && text[i] == '\\' {
		i++
	}
	if i < len(text) && isQuote(text[i]) {
		s.quoted = true
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	blanks := skipBlanks(text, i)
	s.tight = blanks == i
	if blanks >= len(text) {
		return s
	}
	rest := text[blanks:min(len(text), blanks+4)]
	size := 0
	switch {
	case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "=~"), strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, "::="):
		return s
	case strings.HasPrefix(rest, "::="):
		s.kind, size = '=', 3
	case strings.HasPrefix(rest, "||="), strings.HasPrefix(rest, "??="):
		s.kind, size = '=', 3
	case strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, "?="), strings.HasPrefix(rest, "+="):
		s.kind, size = '=', 2
	case rest[0] == '=', rest[0] == ':', rest[0] == ',', rest[0] == '(':
		s.kind, size = rest[0], 1
	case blanks > i:
		s.kind = ' '
	}
	s.next = skipBlanks(text, blanks+size)
	s.tight = s.tight && s.next == blanks+size
	return s
}

func skipBlanks(text string, i int) int {
	for most := i + 40; i < len(text) && i < most && isBlank(text[i]); {
		i++
	}
	return i
}

// lineBefore is the line up to at, as far as it is of interest.
func lineBefore(text string, at int) (before string, whole bool) {
	before = text[max(0, at-200):at]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		return before[i+1:], true
	}
	return before, at <= 200
}

// lineMarks may stand before the first name of a line: marks of lists, comments and differences.
const lineMarks = " \t+#;/*>|%-"

// lineCommands may, too.
var lineCommands = words(`export set setx env arg local readonly declare typeset setenv environment= let config $env: $`)

// beginsLine says whether before, the line up to a name, leaves the name the first of its line: behind marks, a number, a command.
func beginsLine(before string) bool {
	rest := strings.TrimLeft(before, lineMarks)
	if digits := strings.TrimLeft(rest, "0123456789"); len(digits) < len(rest) && len(rest)-len(digits) < 8 {
		if number := strings.TrimLeft(digits, " \t"); len(number) < len(digits) || strings.HasPrefix(number, "|") ||
			strings.HasPrefix(number, ":") {
			rest = strings.TrimLeft(number, ":"+lineMarks)
		}
	}
	if n := len(rest); n > 0 && (rest[n-1] == '"' || rest[n-1] == '\'') {
		rest = rest[:n-1]
	}
	if rest == "" {
		return true
	}
	if len(rest) > 24 {
		return false
	}
	command, flag, _ := strings.Cut(strings.ToLower(strings.TrimRight(rest, " \t")), " ")
	return lineCommands[command] && (flag == "" || strings.HasPrefix(flag, "-") && len(flag) < 4)
}

// placeOf tells where a name stands.
func placeOf(text string, at int, f format) place {
	if at < len(text) && text[at] == '-' && at+1 < len(text) && !isBlank(text[at+1]) {
		return option
	}
	before, whole := lineBefore(text, at)
	if f&(yaml|ini|json|toml) != 0 {
		before = withoutQualifier(before)
	}
	trimmed := strings.TrimRight(before, " \t")
	last := byte('\n')
	if trimmed != "" {
		last = trimmed[len(trimmed)-1]
	}
	tight := len(trimmed) == len(before)
	switch {
	case tight && last == '<', tight && last == ':' && elementPrefix(before):
		return element
	case tight && (last == '?' || last == '&'), tight && strings.HasSuffix(before, "&amp;"):
		return query
	case whole && f&(code|labels) == 0 && (beginsLine(before) || strings.HasSuffix(before, "/:")):
		if isQuote(last) {
			return quoted
		}
		return line
	case last == ';', tight && last == ',' && f&(plain|shell|docker) != 0:
		return field
	case tight && last == '=' && optionBefore(before):
		return option
	case tight && isQuote(last):
		return quoted
	case (last == '{' || last == ',' || last == '[') && f&(yaml|ini) != 0:
		return flow
	case !tight:
		return word
	}
	return nowhere
}

// withoutQualifier leaves out what stands before a name's last part: mysql::server::root_password.
func withoutQualifier(before string) string {
	if !strings.HasSuffix(before, ":") {
		return before
	}
	i := len(before)
	for i > 0 && (before[i-1] == ':' || isNameByte(before[i-1])) {
		i--
	}
	if i < len(before) && isLetter(before[i]) {
		return before[:i]
	}
	return before
}

// optionBefore says whether a name is in the value of an option: --from-literal=password=x.
func optionBefore(before string) bool {
	before = before[strings.LastIndexAny(before, " \t\"'")+1:]
	return strings.HasPrefix(before, "-") && strings.IndexByte(before, '=') == len(before)-1
}

// elementPrefix says whether a namespace of an element stands before a name: <db:password>.
func elementPrefix(before string) bool {
	i := strings.LastIndexByte(before, '<')
	return i >= 0 && strings.IndexFunc(before[i+1:len(before)-1], func(r rune) bool { return r > 127 || !isNameByte(byte(r)) }) < 0
}

// level is how much a value has to look like a secret at the name's place.
func (n name) level(s sign) level {
	switch {
	case n.f&(code|labels) != 0, s.kind == ',' || s.kind == '(':
		return strict
	case n.where == element, s.kind == ' ' && n.where == word:
		return loose
	case n.f&plain != 0, n.where == option && s.kind == ' ', n.where == word && !shouted(n.text):
		return medium
	}
	return loose
}

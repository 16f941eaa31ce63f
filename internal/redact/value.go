package redact

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

const longestValue = 512

// valueOf gives the bounds of a name's value, or nothing where the format has none in that place.
func valueOf(text string, n name, s sign) span {
	if n.where == element {
		return content(text, n.to)
	}
	if s.kind == 0 || s.next >= len(text) {
		return span{}
	}
	at := s.next
	if n.f&yaml != 0 && s.kind == ':' {
		at += len(yamlMark.FindString(text[at:min(len(text), at+80)]))
		if v := block(text, at); v.to > 0 {
			return v
		}
	}
	if v, ok := inQuotes(text, at); ok {
		switch {
		case s.kind == ',' || s.kind == '(':
			if s.kind == ',' && !s.quoted || s.kind == '(' && !setsPassword.MatchString(n.text) {
				return span{}
			}
			return v
		case s.kind == ' ':
			if n.where == option || setsPassword.MatchString(n.text) && n.f&(code|ini) != 0 || strings.EqualFold(n.text, "password") &&
				text[at] == '\'' || n.f&docker != 0 {
				return v
			}
			return span{}
		case n.f&code != 0:
			return span{} // rule "assignment" knows more of code
		}
		return v
	}
	if s.kind == ',' || s.kind == '(' || s.quoted && n.f&(json|toml|hcl|xml) != 0 {
		return span{}
	}
	return bare(text, at, n, s)
}

// setsPassword names methods that take a password.
var setsPassword = pattern.New(`(?i)(?:password|passwd|secret)$`)

// yamlMark is an anchor or a tag before a value.
var yamlMark = pattern.New(`^(?:&[\w.-]+|!![\w:/.,-]+) +`)

// inQuotes gives what stands between the quotes at text[at].
func inQuotes(text string, at int) (span, bool) {
	escaped := at+1 < len(text) && text[at] == '\\' && isQuote(text[at+1])
	if escaped {
		at++
	}
	if at >= len(text) || !isQuote(text[at]) {
		return span{}, false
	}
	q := text[at]
	at++
	if strings.HasPrefix(text[at:], string([]byte{q, q})) {
		at += 2
	}
	for i := at; i < len(text) && i < at+longestValue; i++ {
		switch b := text[i]; {
		case b == '\n':
			return span{}, true
		case b == '\\' && escaped && i+1 < len(text) && text[i+1] == q:
			return span{at, i}, true
		case b == '\\':
			i++
		case b == q:
			return span{at, i}, true
		}
	}
	return span{}, true
}

// block gives the one line of a YAML block scalar.
func block(text string, at int) span {
	if at >= len(text) || text[at] != '|' && text[at] != '>' {
		return span{}
	}
	head, rest, ok := strings.Cut(text[at:min(len(text), at+longestValue)], "\n")
	if !ok || strings.Trim(head[1:], "+-0123456789 \r") != "" || rest == "" || !isBlank(rest[0]) {
		return span{}
	}
	value, _, _ := strings.Cut(rest, "\n")
	from := at + len(head) + 1 + len(value) - len(strings.TrimLeft(value, " \t"))
	value = strings.TrimSpace(value)
	if strings.ContainsAny(value, " \t") {
		return span{}
	}
	return span{from, from + len(value)}
}

// content is the text of an XML element whose name ends at text[at].
func content(text string, at int) span {
	part := text[at:min(len(text), at+longestValue)]
	open := strings.IndexByte(part, '>')
	if open < 0 || open > 160 || open > 0 && (!isBlank(part[0]) || part[open-1] == '/') ||
		strings.ContainsAny(part[:open], "<\n(){}=>") && open > 0 && !attributes.MatchString(part[:open]) {
		return span{}
	}
	inner := open + 1 + len(innerValue.FindString(part[open+1:]))
	value, after, ok := strings.Cut(part[inner:], "<")
	from := at + inner
	if ok && strings.TrimSpace(value) == "" && strings.HasPrefix(after, "![CDATA[") {
		from += len(value) + len("<![CDATA[")
		value, _, ok = strings.Cut(after[len("![CDATA["):], "]]>")
	} else if ok && !strings.HasPrefix(after, "/") {
		return span{}
	}
	trimmed := strings.TrimSpace(value)
	if !ok || trimmed == "" {
		return span{}
	}
	from += strings.Index(value, trimmed)
	return span{from, from + len(trimmed)}
}

// innerValue is an element that only holds another's value.
var innerValue = pattern.New(`^\s*<(?i:value)>`)

var attributes = pattern.New(`^(?:\s+[\w:.-]{1,40}=(?:"[^"<>]*"|'[^'<>]*'))*\s*$`)

// ends are the bytes at which a bare value ends, by its place. A line ends all.
var ends = map[place]string{
	word: " \t\"'`;|&)<>", flow: " \t,}]\"'", option: " \t\"'`;|)<>", query: " \t&\"'`<>)#;\\", field: ";\"'`",
}

// bare gives a value without quotes.
func bare(text string, at int, n name, s sign) span {
	stop := ends[n.where]
	switch n.where {
	case nowhere:
		return span{}
	case line:
		return wholeLine(text, at, n, s)
	case quoted:
		if s.kind == ' ' || s.quoted {
			return span{}
		}
		stop = string(text[n.from-1]) + "\\"
	case word:
		if s.kind == ' ' && n.f&netrc != 0 || s.kind == ' ' && n.f&(plain|shell|docker) != 0 && besideMachine(text, n.from) {
			return until(text, at, " \t`\"'")
		}
		if s.kind != '=' || !s.tight {
			return span{}
		}
	case field, query:
		if text[n.from-1] == ',' {
			stop += ", \t"
		}
		if s.kind != '=' {
			return span{}
		}
	case flow:
		if s.kind == ' ' {
			return span{}
		}
	case option:
		if s.kind != '=' && s.kind != ' ' || s.kind == ' ' && strings.HasPrefix(text[at:], "-") {
			return span{}
		}
	}
	if s.kind == '=' && (n.where == word || n.where == quoted || n.where == field) {
		v := until(text, at, stop+";")
		switch beside := besides(text, n.from, v.to); {
		case beside:
			return until(text, at, stop+"; \t")
		case n.where == field, n.where == word && !shouted(n.text) && n.f&(shell|docker|yaml|ini) == 0:
			return span{}
		}
	}
	v := until(text, at, stop)
	if n.where == quoted && (v.to >= len(text) || text[v.to] == '\n') {
		return span{}
	}
	return v
}

// until gives the text up to one of the bytes or the end of the line, or nothing where that is too far.
func until(text string, at int, stop string) span {
	for i := at; i < len(text) && i < at+longestValue; i++ {
		if b := text[i]; b == '\n' || b == '\r' || strings.IndexByte(stop, b) >= 0 {
			return span{at, i}
		}
	}
	if len(text)-at < longestValue {
		return span{at, len(text)}
	}
	return span{}
}

// wholeLine gives a value that reaches to the end of its line or to a comment.
func wholeLine(text string, at int, n name, s sign) span {
	before, _ := lineBefore(text, n.from)
	switch {
	case n.f&(toml|json|hcl) != 0,
		n.f&(shell|xml) != 0 && s.kind != '=',
		n.f&docker != 0 && s.kind == ':',
		s.kind == ' ' && (n.f&(ini|docker|netrc) == 0 || upstream.MatchString(n.text)),
		s.kind == ' ' && n.f&netrc == 0 && strings.ContainsAny(before, "#;/*"):
		return span{}
	}
	v := until(text, at, "")
	value := text[v.from:v.to]
	if n.f&(docker|shell) != 0 && s.kind == '=' || n.f&netrc != 0 {
		v = until(text, at, " \t;")
		return v
	}
	for _, comment := range []string{" #", "\t#", " ;", " //"} {
		if i := strings.Index(value, comment); i >= 0 {
			value = value[:i]
		}
	}
	value = strings.TrimRight(value, " \t\\")
	if n.f&yaml != 0 {
		value = strings.TrimRight(value, ",")
	}
	if i := strings.IndexAny(value, " \t"); i > 0 && s.tight && s.kind == '=' && another.MatchString(value[i:]) {
		value = value[:i]
	}
	if strings.ContainsAny(value, " \t") && !(s.kind == '=' && strings.Contains(strings.ToLower(n.text), "passphrase") &&
		n.f&(ini|yaml) != 0) {
		return span{}
	}
	if s.kind == '=' && strings.Contains(value, ";") && besides(text, n.from, v.to) {
		return until(text, at, ";")
	}
	return span{at, at + len(value)}
}

// another is a further assignment in the line.
var another = pattern.New(`^[ \t]+[A-Za-z_]\w*=`)

// upstream are settings of nginx that pass a request on.
var upstream = pattern.New(`^(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass$`)

// shouted says whether a name is written as environment variables are.
func shouted(name string) bool { return strings.ToUpper(name) == name }

// fields are other fields of connection strings.
var fields = words(`server host hostname id uid userid database dbname accountname endpoint port driver username user source catalog name`)

// besides says whether another field of a connection string stands near text[from:to], in its line.
func besides(text string, from, to int) bool {
	before, _ := lineBefore(text, from)
	after, _, _ := strings.Cut(text[to:min(len(text), to+160)], "\n")
	return hasField(before) || hasField(after)
}

func hasField(part string) bool {
	for {
		i := strings.IndexByte(part, '=')
		if i < 0 {
			return false
		}
		end := len(strings.TrimRight(part[:i], " "))
		begin := end
		for begin > 0 && end-begin < 12 && isLetter(part[begin-1]) {
			begin--
		}
		if end > begin && fields[strings.ToLower(part[begin:end])] {
			return true
		}
		part = part[i+1:]
	}
}

// besideMachine says whether machine and login stand before a word, as in .netrc.
func besideMachine(text string, at int) bool {
	if at+8 > len(text) || !strings.EqualFold(text[at:at+8], "password") {
		return false
	}
	before := text[max(0, at-200):at]
	return strings.Contains(before, "login ") && (strings.Contains(before, "machine ") || strings.Contains(before, "default "))
}

// isNamed says whether what stands before a name makes it a value: name: DB_PASSWORD, key="password", <key>Password.
func isNamed(before string) bool {
	for _, end := range []string{"<key>", "<name>", `variable "`} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	rest := strings.TrimRight(strings.TrimRight(before, "\"'\\"), " \t")
	if rest == "" || rest[len(rest)-1] != ':' && rest[len(rest)-1] != '=' {
		return false
	}
	rest = strings.TrimRight(strings.TrimRight(rest[:len(rest)-1], " \t"), "\"'\\")
	i := len(rest)
	for i > 0 && (isWord(rest[i-1])) {
		i--
	}
	switch strings.ToLower(rest[i:]) {
	case "name", "key", "id", "parameterkey", "parameter_key":
		return true
	}
	return false
}

// given is what stands behind such a name up to its value.
var given = pattern.New(`^(?:(?:\\?["'])?[\s,;]{0,60}(?:-[ \t])?\\?["']?(?:\w{1,20}:)?(?i:value|parametervalue|parameter_value|` +
	`string_value|default)\\?["']?[ \t]*[:=][ \t]*` +
	`(?:\\?"([^"\n\\]*)\\?"|'([^'\n]*)'|([^\s,}"'<>]+))|["'][^<>\n]{0,100}>\s{0,40}(?:<value>)?([^<>]*[^<>\s])\s{0,40}</|</(?:key|name)>` +
	`\s{0,40}<(?:string|value)>([^<>\n]*)</|` +
	`"[ \t]*\{[^{}]{0,300}?\bdefault[ \t]*=[ \t]*"([^"\n]*)")`)

// parameter is the default of a parameter that has the name.
var parameter = pattern.New(`^(?::[ \t]*\r?\n(?:[ \t]+\w+:[^\n]*\n){0,6}?[ \t]+Default:[ \t]*["']?([^\s"']+)|"[ \t]*:[ \t]*\{` +
	`[^{}]{0,300}?"[Dd]efault"[ \t]*:[ \t]*"([^"\n]*)")`)

// pair finds the value of a name that is itself a value, in the element or line behind it.
func pair(text string, n name, s sign) span {
	before, form := text[max(0, n.from-40):n.from], given
	switch {
	case s.kind == ':' && n.f&(yaml|json) != 0:
		form = parameter
	case !isNamed(before):
		return span{}
	}
	m := form.FindStringSubmatchIndex(text[n.to:min(len(text), n.to+longestValue)])
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			v := span{n.to + m[g], n.to + m[g+1]}
			if n.secret(text[v.from:v.to], n.level(sign{kind: '='})) {
				return v
			}
		}
	}
	return span{}
}

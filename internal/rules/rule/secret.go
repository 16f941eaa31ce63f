package rule

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/redact"
)

var (
	credentialName = regexp.MustCompile(`(?i)(^|[_.\-])(password|passwd|passphrase|secret|secretkey|apikey|api_?key|` +
		`access_?key|auth_?token|access_?token|api_?token|private_?key|secret_?key|client_?secret|encryption_?key|` +
		`signing_?key|db_?pass|jwt_?secret|token)$|(Password|Secret|ApiKey|APIKey|AccessKey|AuthToken|AccessToken|` +
		`SecretKey|PrivateKey)$`)
	// Names of keys that a framework signs sessions, cookies or tokens with: whatever stands there is in use.
	signingName = regexp.MustCompile(`(?i)^((app|flask|django|jwt|session|cookie|token|auth|nextauth)_?secret(_?key)?|` +
		`secret_?key(_?base)?|` +
		`(access|refresh)_?token_?secret(_?key)?|jwt_?(private_?|signing_?)?key|secret_?or_?(private_?)?key|` +
		`((session|cookie|token)_?)?signing_?key|wtf_csrf_secret_key|security_password_salt|secret_token)$`)
	// Names of passwords by which the program enters another one, or an administrator the program.
	accountName = regexp.MustCompile(`(?i)^((db|database|mysql|mariadb|postgres|postgresql|pg|mongo|redis|mssql|oracle|admin|root|ftp|` +
		`ldap|smtp|mail|email|email_host|mail_server|default_admin)_?(pass|passwd|password|pwd))$`)
	// Words which say that the name holds something about a secret: its field, header, file, length, message.
	aboutSecret = regexp.MustCompile(`(?i)field|header|param|label|placeholder|prompt|message|error|regex|pattern|url|uri|` +
		`path|file|env|name|type|hint|column|prefix|length|title|help|text|example|test|mock|dummy|fake|default_token|csrf|hash|` +
		`(update|sync|next|request|continuation|idempotency)_?token|page_?token|invalid|reset`)
	placeholder = regexp.MustCompile(`(?i)^(x{3,}|\*(.*\*)?|\.+|change_?-?me.*|.*your[_\- ].*|.*example.*|.*placeholder.*|` +
		`.*dummy.*|.*fake.*|.*sample.*|<.*>|\$\{.*|\{\{.*|%\(?.*|\$[A-Z_(].*|todo.*|fixme.*|none|null|nil|undefined|true|` +
		`false|redacted.*|.*\[redacted.*|.*xxxx.*|.*insert.*here.*|.*replace.*me.*|process\.env.*|password|secret|` +
		`passwd|token|test(ing)?.*|foo.*|bar.*|abc|string|bearer|basic|my[_-]?.*|the[_-].*|some[_-]?.*|.*\*\*\*.*)$`)
	// What a program fills in, looks up elsewhere, or reads from a file: no key by itself.
	reference = regexp.MustCompile(`^(<[^<>]*>?|[$%#@]?[{(\[].*[)}\]]|[$][A-Za-z_{(].*|%[sv(].*|@.*|\.{0,2}/.*|[\w+]+://.*|` +
		`[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|` +
		`.*(\$\{|\{\{|<%|%\(|process\.env|\.(key|pem|txt|json|env|ya?ml)$).*|(vault|env|ssm|arn|secret|file|op|ref):.*)$`)
	formRules = regexp.MustCompile(`^(\w+(:[^|]*)?\|)+\w+(:[^|]*)?$`) // required|min:8
	fernetKey = regexp.MustCompile(`^[\w-]*[A-Z][\w-]*=$`)
	unfilled  = regexp.MustCompile(`(?i)^(x+|\*(.*\*)?|\.+|-+|\?+|_+|.*\byour?[_\- ].*|<.*>|todo.*|fixme.*|.*(placeholder|redacted|xxxx|` +
		`\*\*\*|insert|here$).*)$`)
	emptyValue = regexp.MustCompile(`(?i)^(none|null|nil|undefined|true|false|required|optional|string|text|hidden|password|str)$`)
	connection = regexp.MustCompile(`^(?:(?:jdbc:)?[a-z][a-z0-9+.\-]*://[^:/?@\s{}$<%]+:([^@/?\s{}$<%]+)@[^/\s{}$<%]+(?:/|$)|` +
		`\w+:([^@/?\s{}$<%\[]+)@(?:tcp|unix)\()`)
	dataSource = regexp.MustCompile(`(?i)(?:^|[\s;&?])(?:password|pwd)=([^\s;&'"{}$%<]+)`)
	dataHost   = regexp.MustCompile(`(?i)(?:^|[\s;&?:/])(?:host|server|data source|dbname|database|user|user id|uid)=\w`)
)

const addressPassword = "password in an address"

// SecretToken names the kind of credential that value carries when its form gives it away ("aws access key"), or "".
func SecretToken(value string) string {
	if strings.Contains(value, "EXAMPLE") || strings.Contains(value, "devstoreaccount1") || strings.Contains(strings.ToLower(value), "xxxx") {
		return ""
	}
	kind := redact.New().Token(value)
	if kind != "url password" {
		return kind
	}
	if strings.Contains(value, "@example.") || strings.Contains(value, ".example.") {
		return ""
	}
	return addressPassword
}

// WeakConnection tells whether value is the address of a database with a password that everybody would try.
func WeakConnection(value string) bool {
	password := ""
	if m := connection.FindStringSubmatch(value); m != nil {
		password = m[1] + m[2]
	} else if m := dataSource.FindStringSubmatch(value); m != nil && dataHost.MatchString(value) {
		password = m[1]
	}
	if strings.Contains(value, "guest:guest@localhost") { // as brokers come; nobody enters from elsewhere by it
		return false
	}
	return password != "" && !unfilled.MatchString(password) && !strings.Contains(value, "example.") &&
		!OneOf(password, "password", "pass", "pwd", "PASSWORD", "secret") && !strings.HasPrefix(value, "http")
}

// unusable matches what stands in place of a hash so that no password is right.
var unusable = regexp.MustCompile(`(?i)^[!*]*(unusable|disabled|locked|invalid|none|no_?login)$`)

// Secret tells whether a constant of this name and value is a credential written into the source. It wants a name
// that says so and a value that is neither a placeholder, nor words, nor a name of something.
func Secret(name, value string) bool {
	name = strings.TrimLeft(strings.Trim(name, `"'`), "$@:")
	if !credentialName.MatchString(name) || aboutSecret.MatchString(name) {
		return false
	}
	v := strings.TrimSpace(value)
	if len(v) < 6 || len(v) > 512 || utf8.RuneCountInString(v) != len(v) || placeholder.MatchString(v) ||
		strings.ContainsAny(v, " \t\n") || reference.MatchString(v) {
		return false
	}
	if unusable.MatchString(v) || strings.Contains(v, "://") || formRules.MatchString(v) || strings.HasPrefix(v, "$2") ||
		strings.EqualFold(v, name) {
		return false
	}
	password := strings.Contains(strings.ToLower(name), "pass")
	if strings.ContainsAny(v, "{}<>()") && !(password && mixed(v)) {
		return false
	}
	if password { // people choose passwords; most are words with a digit
		return strings.ContainsAny(v, "0123456789!@#$%^&*") && entropy(v) >= 2.3 && !identifierLike(v)
	}
	return strings.ContainsAny(v, "0123456789") && entropy(v) >= 3 && len(v) >= 12 && !identifierLike(v)
}

// mixed: brackets are more often code or markup than part of a password, which has digits and both cases beside them.
func mixed(v string) bool {
	return strings.ContainsAny(v, "0123456789") && strings.ToLower(v) != v && strings.ToUpper(v) != v &&
		!strings.Contains(v, "()") && !strings.ContainsAny(v, "{}")
}

// KeyInUse tells whether a constant of this name and value is what a framework signs with, or a password by which the program
// enters something else. Then a weak value is a fault as much as a strong one is.
func KeyInUse(name, value string) bool {
	name = strings.TrimLeft(strings.Trim(name, `"'`), "$@:")
	if signingName.MatchString(name) && len(value) == 1 && value != "*" && value != "-" && value != " " {
		return true
	}
	if lower := strings.ToLower(name); len(value) == 44 && entropy(value) > 4 && fernetKey.MatchString(value) &&
		strings.HasSuffix(lower, "key") && !strings.Contains(lower, "public") {
		return true
	}
	if !filled(value) || letters(name) == letters(value) || strings.HasSuffix(value, "."+strings.ToLower(name)) {
		return false
	}
	if signingName.MatchString(name) {
		return true
	}
	return accountName.MatchString(name) && len(value) >= 3 && !strings.ContainsAny(value, " \t\n") && !unfilled.MatchString(value) &&
		!strings.HasPrefix(strings.ToLower(value), "change")
}

// filled: the constant is a value, and neither empty nor a mark for one.
func filled(value string) bool {
	v := strings.TrimSpace(value)
	return len(v) >= 2 && len(v) <= 512 && utf8.RuneCountInString(v) == len(v) && !reference.MatchString(v) && !formRules.MatchString(v) &&
		!emptyValue.MatchString(v) && !strings.Contains(v, "\n")
}

// letters is what two spellings of one name have in common.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

var identifier = regexp.MustCompile(`^([a-z]+[0-9]?[_.:\-])*[a-z]+[0-9]?$|^([A-Z]+[_.:\-])+[A-Z]+$|^[a-z]+([A-Z][a-z]+)+$`)

func identifierLike(v string) bool { return identifier.MatchString(v) }

// entropy is Shannon's entropy of the characters of s, in bits a character.
func entropy(s string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, r := range s {
		counts[r]++
		n++
	}
	var h float64
	for _, c := range counts {
		q := float64(c) / float64(n)
		h -= q * math.Log2(q)
	}
	return h
}

package redact

import (
	"regexp"
	"strings"
)

// secretKeywords are the ends of names that hold secrets. The list is spelled as
// names are: api_key, apiKey, api-key.
func secretKeywords() []string {
	return []string{
		"password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key",
		"privatekey", "private_key", "authkey", "auth_key", "signing_key", "signingkey", "encryption_key", "encryptionkey",
	}
}

// assignment is a name, an assignment and a value: quoted, or for names in
// capitals (environment files) bare up to the end of the line.
const assignment = `^(?:` +
	`[A-Za-z][\w.-]{4,60}["'\]]{0,2}[ \t]{0,8}(?::[ \t]{0,2}[a-z]{1,10}[ \t]{0,2}=|:=|=>|=|:)[ \t]{0,8}[bru]{0,2}["'` + "`" + `]([^"'` +
	"`" + `\s\\]{8,200})["'` + "`" + `]` +
	`|[A-Z_]{5,40}=([^"'` + "`" + `\s\\$<({]{8,200})(?:\r?\n|$))`

// assignSign looks for the sign behind the rest of the name.
func assignSign(rest string) bool {
	i := 0
	for i < len(rest) && i < 64 && (isWord(rest[i]) || rest[i] == '.' || rest[i] == '-') {
		i++
	}
	for i < len(rest) && i < 80 && strings.IndexByte("\"'] \t", rest[i]) >= 0 {
		i++
	}
	return i < len(rest) && (rest[i] == '=' || rest[i] == ':')
}

// atSign looks for the end of user and password in an address.
func atSign(rest string) bool {
	for i := 0; i < len(rest) && i < 220; i++ {
		switch rest[i] {
		case '@':
			return true
		case ' ', '\t', '\n', '\r', '/', '"', '\'', '`', '<', '>':
			return false
		}
	}
	return false
}

// nameEnds are what follows the keyword in names that hold something about a
// secret instead of one.
var nameEnds = regexp.MustCompile(
	`(?i)(?:name|id|ids|url|uri|path|file|dir|type|field|header|format|regex|pattern|prefix|suffix|length|len|size|` +
		`label|hint|error|err|message|msg|text|title|class|endpoint|expir\w*|ttl|timeout|param|arg|version|env|var|input|selector|column|` +
		`attribute|attr|kind|scope|scopes|policy|strategy|hash|digest|algorithm|alg|count|limit|status|state|store|ref|arn|alias|provider|page|` +
		`form|template)s?$`)

var leadingName = regexp.MustCompile(`^[\w.-]*`)

// wordy is made of words and short numbers: identifiers, file names, slugs.
var wordy = regexp.MustCompile(`^(?:[A-Za-z]+\d{0,2}|\d{1,2})(?:[-_./:@+ ](?:[A-Za-z]+\d{0,2}|\d{1,2}))*$`)

// assigned judges the value of an assignment: random enough, no placeholder, no
// identifier, and a name that says that it holds the secret itself.
func assigned(value, match string) bool {
	name := leadingName.FindString(match)
	if nameEnds.MatchString(name) {
		return false
	}
	if wordy.MatchString(value) || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.Contains(value, "://") {
		return false
	}
	if strings.ContainsAny(value, "(){}<>[]|") {
		return false
	}
	return random(value, match) || symbolic(value)
}

// symbolic is a human's password: letters, digits and a symbol, not in a
// pattern that code has.
func symbolic(s string) bool {
	return notPlaceholder(s, "") && strings.ContainsAny(s, "!@#%^&*?") && strings.ContainsAny(s, "0123456789") &&
		strings.ToLower(s) != s && entropy(s) >= 2.7
}

// urlPassword judges the password of scheme://user:password@host.
func urlPassword(s, m string) bool {
	switch strings.ToLower(s) {
	case "pass", "pwd", "pw", "secret", "user", "root", "admin", "postgres", "mysql", "redis", "guest", "test", "port", "token", "key":
		return false
	}
	if strings.ContainsAny(s, "{}$%<>*|()\\") && !percentEncoded.MatchString(s) {
		return false
	}
	return (notPlaceholder(s, m) || len(s) < 8 && distinct(s) > 2 && !strings.HasPrefix(s, "$")) && !strings.EqualFold(s, "password")
}

var percentEncoded = regexp.MustCompile(`^(?:[^%{}$<>*|()\\]|%[0-9A-Fa-f]{2})+$`)

// bearer judges what follows the scheme of an Authorization header.
func bearer(s, m string) bool {
	return random(s, m) && !wordy.MatchString(s)
}

var base64Run = regexp.MustCompile(`[A-Za-z0-9+/=]{24,}`)

// keyBlock tells a private key from code that speaks of its first and last line.
func keyBlock(s, _ string) bool {
	sum := 0
	for _, run := range base64Run.FindAllString(s, -1) {
		sum += len(run)
	}
	return sum >= 64 && sum*2 > len(s)-64
}

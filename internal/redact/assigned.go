package redact

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// level is how much a value has to look like a secret.
type level int

const (
	loose  level = iota // configuration: what is no placeholder, no reference and no word of a schema
	medium              // prose or an unknown file: a digit or a symbol besides
	strict              // source code: random, or a human's password with all kinds of characters
)

// bareTail is what may follow the keyword of a name that holds a password itself.
var bareTail = pattern.New(`(?i)^(?:\d{0,3}|s|[_.-]?(?:\d{1,3}|prod|production|dev|development|test|staging|stage|local|qa|live` +
	`|main|primary|` +
	`default|value|text|plain|cleartext|new|old|current|base64|b64|rw|ro|root|admin|user))$`)

var passwordWords = list("pass password passwd passphrase passcode pwd psk pw masterauth clear-text")

// isPassword says whether a name ends in a word for a password.
func isPassword(name string) bool {
	low := strings.ToLower(name[max(0, len(name)-10):])
	return slices.ContainsFunc(passwordWords, func(w string) bool { return strings.HasSuffix(low, w) })
}

// aboutKeys are names of keys that are none to hide.
var aboutKeys = pattern.New(`(?i)public|cache|primary|foreign|partition|sort|gpg|pgp|finger|sha|checksum|group|index|row|map|kn` +
	`own|verif`)

// aboutSecrets are names that count or page.
var aboutSecrets = pattern.New(`(?i)(?:^|[_.-])(?:max|min|num)[_.-]|(?:page|next|continue|continuation|sync|csrf)_?token|hashed` +
	`_?secret`)

// secret judges a value by the name that it is given to.
func (n name) secret(value string, l level) bool {
	keyword := n.text[:len(n.text)-len(n.tail)]
	if len(value) < 4 || strings.Contains(value, mark) || aboutSecret(n.text) && keyword != "clear-text" {
		return false
	}
	password, isKey := isPassword(keyword), strings.HasSuffix(strings.ToLower(keyword), "key")
	if n.text == "PWD" || n.text == "OLDPWD" {
		return false
	}
	return !reference(value, l) && n.fits(value, keyword, l, password, isKey) && !(isKey && aboutKeys.MatchString(n.text)) &&
		!aboutSecrets.MatchString(n.text)
}

// fits judges a value that is no reference.
func (n name) fits(value, keyword string, l level, password, isKey bool) bool {
	switch {
	case password && (n.tail == "" || bareTail.MatchString(n.tail)):
		return passwordLike(value, l, n.f)
	case l == loose && n.f&(ini|shell|docker) != 0 && n.tail == "" && strings.EqualFold(keyword[max(0, len(keyword)-6):], "secret"):
		return passwordLike(value, medium, n.f) || passwordLike(value, loose, n.f) && strings.ContainsAny(value, "0123456789")
	case isKey && !strongKeys.MatchString(keyword):
		return l == loose && len(value) >= 32 && keyChars.MatchString(value) && random(value, "") && !isWordy(value)
	case l == loose:
		return tokenLike(value)
	}
	return judged(value)
}

// strongKeys are keys that are secret by their name; of another one the value has to be long and random.
var strongKeys = pattern.New(`(?i)(?:api|access|private|auth|signing|encryption|account|master|shared|secret|session|license|ap` +
	`p|admin|service|` +
	`validation|decryption|crypto|hmac|jwt|subscription|storage|server|webhook)[_.-]?key$`)

var keyChars = pattern.New(`^[A-Za-z0-9+/=_-]+$`)

// reference tells values that stand for another: a variable, an expression, an address, a file.
func reference(v string, l level) bool {
	switch v[0] {
	case '$':
		return !crypt.MatchString(v)
	case '<', '{', '[', '(', '*', '|', '>':
		return true
	case '%':
		if strings.HasSuffix(v, "%") || len(v) <= 2 || strings.IndexByte("({[-+", v[1]) >= 0 {
			return true
		}
	case '!', '&', '@':
		if plainWord.MatchString(v[1:]) {
			return true
		}
	case '/', '~':
		return v[1] == '/' || isWordy(strings.Trim(v, "/~")) || len(v) < 24 && strings.Count(v, "/") > 1
	case '.':
		if strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.Trim(v, ".") == "" {
			return true
		}
	case '-':
		return strings.HasPrefix(v, "--")
	}
	low := strings.ToLower(v)
	for _, w := range references {
		if strings.Contains(low, w) {
			return true
		}
	}
	if l > loose && (strings.ContainsAny(v, "(){}[]<>|,'\"`\\") || strings.HasSuffix(v, ";")) {
		return true
	}
	return fileEnd.MatchString(low) || call.MatchString(v) || verb.MatchString(v) || cmdlet.MatchString(v)
}

var (
	crypt     = pattern.New(`^\$(?:1|2[abxy]|5|6|y|apr1|argon2\w*|pbkdf2[\w-]*)\$[\w./$=,+-]{20,}`)
	plainWord = pattern.New(`^[A-Za-z][\w.:-]*$`)
	fileEnd   = pattern.New(`^[\w./-]+\.(?:pem|key|txt|json|ya?ml|crt|cer|p12|pfx|jks|env|conf|cfg|ini|toml|xml|html?|php|py|js|ts` +
		`|rb|go|java|md)$`)
	verb   = pattern.New(`(?:^|[^\w!@#^&*])%[svdq](?:\W|$)`)
	cmdlet = pattern.New(`^(?:Read|Get|New|ConvertTo|ConvertFrom|Import|Invoke)-[A-Z][A-Za-z]+$`)
	call   = pattern.New(`^[A-Za-z_][\w.:>-]*\(.*\)?[;,]?$`)
)

// references are parts of expressions and placeholders.
var references = []string{
	"${", "{{", "}}", "$(", "#{", "@{", "%(", "<%", "%>", "$[", "{%", "\\(", "://", "process.env", "os.environ", "getenv",
	"env(", "env.", "env[", "secrets.", "vault:", "var.", "local.", "data.", "module.", "params.", "self.", "this.", "config.", "settings.",
	"options.", "request.", "args.", "opts.", "arn:aws", "projects/", "ref+", "op:/", "akv:", "ssm:", "@microsoft.keyvault",
	"example", "changeme", "change-me", "change_me", "placeholder", "your", "xxxx", "****", "....", "redacted", "insert", "replace", "todo",
	"fixme", "_here", "-here", "••", "…",
}

// passwordLike judges what is given to a name such as password.
func passwordLike(v string, l level, f format) bool {
	if strings.ContainsAny(v, " \t") && !phrase.MatchString(v) || strings.HasPrefix(v, "0x") && len(v) <= 20 || distinct(v) < 3 || Stock(v) {
		return false
	}
	if l == strict {
		return judged(v) || mixed(v)
	}
	if crypt.MatchString(v) {
		return true
	}
	digits, letters := strings.ContainsAny(v, "0123456789"), strings.ContainsFunc(v, func(r rune) bool { return r < 128 && isLetter(byte(r)) })
	symbols := strings.ContainsAny(v, "!@#%^&*?~+=$") || l == loose && strings.ContainsAny(v, `:;,/|<>(){}`)
	switch {
	case !letters:
		return l == loose && len(v) >= 6 && !common(v) && !number.MatchString(v) || symbols && digits
	case l == loose:
		return digits || symbols || len(v) >= 6 && !label.MatchString(v) && !identifier.MatchString(v)
	case isWordy(v):
		return len(v) >= 6 && numbered.MatchString(v)
	}
	return len(v) >= 6 && (digits || symbols)
}

var (
	phrase     = pattern.New(`^[a-z]{3,12}(?: [a-z]{3,12}){3,9}$`)
	number     = pattern.New(`^(?:\d+[.:,-]\d+[\d.:,-]*|0+)$`)
	label      = pattern.New(`^[A-Z][a-z]+$|[^\x00-\x7f]`)
	identifier = pattern.New(`^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Za-z]+(?:[._:][A-Za-z]+)+$|^[A-Z_]+$`)
	numbered   = pattern.New(`^(?:[A-Za-z]{3,}\d{1,4}|[A-Z][a-z]+[-_][A-Z]?[A-Za-z]+\d{1,4}|[A-Za-z]+\.[A-Z][a-z]+\d\d)$`)
)

// mixed is a password of small and capital letters and digits that is no word with a number.
func mixed(v string) bool {
	return len(v) >= 10 && !isWordy(v) && !strings.ContainsAny(v, "(){}<>[]|/\\ .:") && strings.ContainsAny(v, "0123456789") &&
		strings.ToLower(v) != v &&
		strings.ToUpper(v) != v && entropy(v) >= 2.8 && notPlaceholder(v, "")
}

func common(v string) bool {
	return strings.Contains("01234567890", v) || strings.Contains("09876543210", v) || distinct(v) < 4
}

// tokenLike judges what is given to a name such as token in configuration.
func tokenLike(v string) bool {
	if len(v) < 8 || strings.ContainsAny(v, " \t<>(){}[]|`\"") || isWordy(v) || Stock(v) || notSecret.MatchString(v) {
		return false
	}
	low := strings.ToLower(v)
	if strings.HasPrefix(v, "/") && strings.Count(v, "/") > 1 && strings.ContainsAny(v, "._") || strings.Contains(low, "1234567") &&
		distinct(low) < 16 ||
		distinct(tail(v)) <= 4 {
		return false
	}
	if strings.ContainsAny(v, "0123456789") {
		return entropy(v) >= 2.75 && strings.ContainsFunc(v, func(r rune) bool { return r < 128 && isLetter(byte(r)) })
	}
	return len(v) >= 20 && strings.ToLower(v) != v && strings.ToUpper(v) != v && entropy(v) >= 3.8 && !identifier.MatchString(v)
}

// notSecret are versions, dates, times, durations, addresses and pictures of values.
var notSecret = pattern.New(`^(?:v?\d+(?:\.\d+)+\S{0,12}|\d{4}-\d\d-\d\d.*|\d+(?:ms|s|m|h|d|w|kb|mb|gb)|\d+|0x[0-9a-fA-F]+[,;]?|` +
	`[\w.-]+/[\w./-]+:[\w.-]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\^.*\$|[\w-]+(?:\.[\w-]+)+(?::\d+|/\S+))$`)

// judged is the judgement of a value in source code.
func judged(value string) bool {
	if isWordy(value) || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.Contains(value, "://") {
		return false
	}
	if strings.ContainsAny(value, "(){}<>[]| \t") {
		return false
	}
	return random(value, "") || symbolic(value)
}

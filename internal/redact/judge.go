package redact

import (
	"encoding/base64"
	"math"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// entropy is the Shannon entropy of the bytes of s, in bits per byte.
func entropy(s string) float64 {
	var n [256]int
	for i := range len(s) {
		n[s[i]]++
	}
	h := 0.0
	for _, c := range n {
		if c > 0 {
			p := float64(c) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// placeholderWords mark a value that stands for a secret.
var placeholderWords = []string{
	"example", "changeme", "change-me", "change_me", "placeholder", "your", "xxxx", "****", "....", "dummy", "sample",
	"redacted", "insert", "replace", "todo", "fixme", "notreal", "not-a-", "fake", "secret_key", "undefined", "localhost",
	"1234567", "abcdef", "qwerty", "password", "passwd", "foobar", "${", "{{", "<%", "%s", "%v", "%(", "$(", "#{", "@{",
	"process.env", "os.environ", "getenv", "env(", "env.", "env[", "config.", "settings.", "secrets.", "vault:",
}

// notPlaceholder refuses what only stands for a secret.
func notPlaceholder(s, _ string) bool {
	low := strings.ToLower(s)
	for _, w := range placeholderWords {
		if strings.Contains(low, w) {
			return false
		}
	}
	switch s[0] {
	case '$', '<', '{', '%', '[':
		return false
	}
	return distinct(tail(s)) > 4
}

// tail leaves out the prefix that tells the kind.
func tail(s string) string { return s[max(0, len(s)-16):] }

func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// random asks for the entropy that a generated token of this length has and a word lacks.
func random(s, m string) bool {
	return notPlaceholder(s, m) && strings.ContainsAny(s, "0123456789") && entropy(s) >= 3.2
}

// notExample refuses the keys that a vendor's documentation uses.
func notExample(s, _ string) bool {
	return !strings.Contains(s, "EXAMPLE") && distinct(tail(s)) > 4
}

// wordy is made of words and short numbers: identifiers, file names, slugs.
var wordy = pattern.New(`^(?:[A-Za-z]+\d{0,2}|\d{1,2})(?:[-_./:@+ ](?:[A-Za-z]+\d{0,2}|\d{1,2}))*$`)

// isWordy says whether s is made of words and not of letters drawn at random, whose case changes at every other one.
func isWordy(s string) bool {
	if !wordy.MatchString(s) {
		return false
	}
	changes := 0
	for i := 1; i < len(s); i++ {
		if isLetter(s[i-1]) && isLetter(s[i]) && isLower(s[i-1]) != isLower(s[i]) {
			changes++
		}
	}
	return len(s) < 16 || changes*25 < len(s)*9
}

// assigned judges the value of an assignment in source code: random enough, no placeholder, no
// identifier, and a name that says that it holds the secret itself.
func assigned(value, match string) bool {
	name := leadingName.FindString(match)
	return !aboutSecret(name) && (judged(value) || isPassword(name) && mixed(value))
}

// argument judges a password among the arguments of a call in source code.
func argument(value, _ string) bool { return judged(value) }

// spoken judges a password that a statement sets.
func spoken(value, _ string) bool {
	return !reference(value, medium) && passwordLike(value, loose, plain)
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
	if strings.ContainsAny(s, "[]") || Stock(s) {
		return false
	}
	if strings.ContainsAny(s, "{}$%<>*|()\\") && !percentEncoded.MatchString(s) {
		return false
	}
	return (notPlaceholder(s, m) || len(s) < 8 && distinct(s) > 2 && !strings.HasPrefix(s, "$")) && !strings.EqualFold(s, "password")
}

var percentEncoded = pattern.New(`^(?:[^%{}$<>*|()\\]|%[0-9A-Fa-f]{2})+$`)

// bearer judges what follows the scheme of an Authorization header.
func bearer(s, m string) bool {
	if raw, err := base64.StdEncoding.DecodeString(s); err == nil && printable(string(raw)) && strings.Contains(string(raw), ":") {
		return basic(s)
	}
	return len(s) >= 20 && random(s, m) && !isWordy(s) || basic(s)
}

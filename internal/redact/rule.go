package redact

import (
	"math"
	"regexp"
	"strings"
)

// rule recognises one kind of secret at its keywords.
type rule struct {
	kind string
	// keywords, compared without case: the expression is tried only where one stands.
	keywords []string
	// re begins at the keyword (back bytes before it). Its first group is the
	// secret; without groups all of it is.
	re *regexp.Regexp
	// back is how far before the keyword the expression begins. Defaults to 0.
	back int
	// inside allows a letter or digit right before the expression, which
	// otherwise means that something longer stands there.
	inside bool
	// reach bounds the text handed to the expression. Defaults to 512 bytes.
	reach int
	// maybe is a cheap look at the text behind the keyword before the expression
	// is tried. Defaults to yes.
	maybe func(rest string) bool
	// real judges what was found; match is all of re's match. Defaults to yes.
	real func(secret, match string) bool
}

// at tries the rule on a keyword that stands at text[start:end].
func (r *rule) at(text string, start, end int) (secret, bool) {
	from := start - r.back
	if from < 0 || !r.inside && from > 0 && isWord(text[from-1]) {
		return secret{}, false
	}
	if r.maybe != nil && !r.maybe(text[end:]) {
		return secret{}, false
	}
	reach := r.reach
	if reach == 0 {
		reach = 512
	}
	part := text[from:min(len(text), from+reach)]
	m := r.re.FindStringSubmatchIndex(part)
	if m == nil || m[0] != 0 {
		return secret{}, false
	}
	lo, hi := m[0], m[1]
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] >= 0 {
			lo, hi = m[g], m[g+1]
			break
		}
	}
	found := part[lo:hi]
	if found == "" || strings.Contains(found, mark) || inMark(text[:from+lo]) || r.real != nil && !r.real(found, part[:m[1]]) {
		return secret{}, false
	}
	return secret{start: from + lo, end: from + hi}, true
}

// inMark says whether before ends within a mark, as a user name and a password
// seem to be in "://[REDACTED:kind]@".
func inMark(before string) bool {
	before = before[max(0, len(before)-40):]
	i := strings.LastIndex(before, mark)
	return i >= 0 && !strings.Contains(before[i:], "]")
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

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

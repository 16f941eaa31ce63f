package redact

import (
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
	// in are the formats that the rule is for. Defaults to all.
	in format
	// find takes the place of re: it gives the bounds of the secret that belongs
	// to the keyword at text[start:end], or zeros.
	find func(text string, start, end int, f format) (from, to int)
}

// at tries the rule on a keyword that stands at text[start:end].
func (r *rule) at(text string, start, end int, f format) (secret, bool) {
	if r.in != 0 && r.in&f == 0 {
		return secret{}, false
	}
	if r.find != nil {
		from, to := r.find(text, start, end, f)
		if from >= to || strings.Contains(text[from:to], mark) || inMark(text[:from]) {
			return secret{}, false
		}
		return secret{start: from, end: to}, true
	}
	from := start - r.back
	if from < 0 || !r.inside && from > 0 && (isWord(text[from-1]) || afterMark(text[:from])) {
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

// afterMark says whether before ends with a mark. What touches a secret is
// judged as if the secret still stood there: a chain of them costs one round.
func afterMark(before string) bool {
	if !strings.HasSuffix(before, "]") {
		return false
	}
	before = before[max(0, len(before)-40) : len(before)-1]
	i := strings.LastIndex(before, mark)
	return i >= 0 && !strings.Contains(before[i:], "]")
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

package llm

import (
	"regexp"
	"strings"
)

// Scrubber removes secrets from texts before they are shown or stored. The zero value knows only the general shapes.
type Scrubber struct{ secrets []string }

// fragment is the length from which a piece of a secret counts as the secret: servers like to echo part of a key.
const fragment = 12

// keyShape matches anything that looks like a key, whichever provider it belongs to.
var keyShape = regexp.MustCompile(`\b(sk|pk|rk|key|gsk|xai)-[A-Za-z0-9_-]{12,}|(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{8,}`)

// NewScrubber removes these secrets. Values shorter than 6 bytes ("none", "EMPTY") are stand-ins for a key that is
// not there, and would eat ordinary words; they are ignored.
func NewScrubber(secrets ...string) *Scrubber {
	s := &Scrubber{}
	for _, secret := range secrets {
		if secret = strings.TrimSpace(secret); len(secret) >= 6 {
			s.secrets = append(s.secrets, secret)
		}
	}
	return s
}

const removed = "[key removed]"

// Text is text without secrets: neither a secret, nor twelve or more characters in a row of one, nor anything that
// looks like a key.
func (s *Scrubber) Text(text string) string { return keyShape.ReplaceAllString(s.Exact(text), removed) }

// Exact removes the known secrets and their pieces only. It is for model replies, which may rightly hold text that
// looks like a key: reviews quote code.
func (s *Scrubber) Exact(text string) string {
	if s == nil {
		return text
	}
	for _, secret := range s.secrets {
		text = scrubOne(text, secret)
	}
	return text
}

func scrubOne(text, secret string) string {
	n := min(fragment, len(secret))
	if len(text) < n {
		return text
	}
	var b strings.Builder
	last := 0
	for i := 0; i+n <= len(text); {
		if !strings.Contains(secret, text[i:i+n]) {
			i++
			continue
		}
		end := i + n
		for end < len(text) && strings.Contains(secret, text[i:end+1]) {
			end++
		}
		b.WriteString(text[last:i])
		b.WriteString(removed)
		i, last = end, end
	}
	if last == 0 {
		return text
	}
	b.WriteString(text[last:])
	return b.String()
}

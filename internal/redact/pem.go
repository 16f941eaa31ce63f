package redact

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// longestKey bounds a PEM block.
const longestKey = 16 << 10

var (
	keyBegin  = pattern.New(`^-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`)
	keyEnd    = pattern.New(`^-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`)
	keyLines  = pattern.New(`^(?:\r?\n(?:[A-Za-z0-9+/=]{16,80}|[A-Z][A-Za-z-]{2,20}: [^\n]{0,80})?)*`)
	base64Run = pattern.New(`[A-Za-z0-9+/=]{24,}`)
)

// privateKey finds a private key in PEM: up to its last line or, where a part of a file was cut out, as far as its lines reach. The next
// dashes end the search, so a text of nothing but first lines costs no more than another.
func privateKey(text string, start, _ int, _ format) (int, int) {
	begin := keyBegin.FindString(text[start:min(len(text), start+100)])
	if begin == "" {
		return 0, 0
	}
	body := start + len(begin)
	part := text[body:min(len(text), start+longestKey)]
	end := body
	if i := strings.Index(part, "-----"); i >= 0 {
		if last := keyEnd.FindString(part[i:]); last != "" {
			end = body + i + len(last)
		} else {
			part = part[:i]
		}
	}
	if end == body {
		end += len(keyLines.FindString(part))
	}
	if !keyBlock(text[start:end]) {
		return 0, 0
	}
	return start, end
}

// keyBlock tells a private key from code that speaks of its first and last line.
func keyBlock(s string) bool {
	sum := 0
	for _, run := range base64Run.FindAllString(s, -1) {
		sum += len(run)
	}
	return sum >= 64 && sum*2 > len(s)-64
}

package similar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens splits a text as a programmer reads it: names and numbers are one token each, every other character that is
// not blank is one of its own.
func Tokens(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		end := i + size
		if wordRune(r) {
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if !wordRune(r) {
					break
				}
				end += size
			}
		}
		out = append(out, text[i:end])
		i = end
	}
	return out
}

// Words are the names and numbers of a text in lower case: what is left when punctuation and case are taken for layout,
// as in the usual search for contamination (Brown et al. 2020, "Language models are few-shot learners", appendix C).
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) })
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

package difflib

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower is Python's str.lower(): the full lower-case mapping of Unicode (SpecialCasing.txt without its conditions on
// language). It differs from strings.ToLower in two letters: U+0130 (I with a dot) becomes two code points, and a
// capital sigma at the end of a word becomes a final one.
func Lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	runes := []rune(s)
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range runes {
		switch r {
		case 'İ':
			b.WriteString("i̇")
		case 'Σ':
			if finalSigma(runes, i) {
				b.WriteRune('ς')
			} else {
				b.WriteRune('σ')
			}
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// finalSigma is the condition Final_Sigma of the Unicode standard, section 3.13: a cased letter before, with nothing but
// case-ignorable characters between, and none after.
func finalSigma(runes []rune, i int) bool {
	j := i - 1
	for j >= 0 && ignorable(runes[j]) {
		j--
	}
	if j < 0 || !cased(runes[j]) {
		return false
	}
	j = i + 1
	for j < len(runes) && ignorable(runes[j]) {
		j++
	}
	return j == len(runes) || !cased(runes[j])
}

// cased is the property Cased: D135 of the Unicode standard.
func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// ignorable is the property Case_Ignorable: D136 of the Unicode standard. The characters listed are those whose
// Word_Break is MidLetter, MidNumLet or Single_Quote.
func ignorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027',
		'\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

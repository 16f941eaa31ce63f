package bpe

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestMarks is how many combining characters in a row [norm.NFC] leaves together: it breaks longer runs up (annex 15, 13.2),
// which a tokenizer must not.
const longestMarks = 30

// composed is a text in normal form C. Bytes that are not UTF-8 stay.
func composed(text string) string {
	if norm.NFC.IsNormalString(text) {
		return text
	}
	marks := 0
	for at, r := range text {
		if r < 0x300 { // the first combining character
			marks = 0
		} else if norm.NFD.PropertiesString(text[at:]).CCC() == 0 {
			marks = 0
		} else if marks++; marks > longestMarks/4 { // one character may stand for several
			return composedLong(text)
		}
	}
	return norm.NFC.String(text)
}

// composedLong is the same by the letter of the standard (annex 15; Unicode 3.11), however long its runs of marks are.
func composedLong(text string) string {
	type char struct {
		s   string // a character, or a byte that is none
		ccc uint8
	}
	var chars []char
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		one := text[:size]
		text = text[size:]
		if r == utf8.RuneError && size == 1 {
			chars = append(chars, char{one, 0})
			continue
		}
		for _, r := range norm.NFD.String(one) {
			c := string(r)
			chars = append(chars, char{c, norm.NFD.PropertiesString(c).CCC()})
		}
	}
	for i := 0; i < len(chars); i++ {
		end := i
		for end < len(chars) && chars[end].ccc != 0 {
			end++
		}
		slices.SortStableFunc(chars[i:end], func(a, b char) int { return cmp.Compare(a.ccc, b.ccc) })
		i = end
	}
	out := chars[:0]
	starter := -1
	for _, c := range chars {
		last := len(out) - 1
		if starter >= 0 && (last == starter || out[last].ccc != 0 && out[last].ccc < c.ccc) {
			if both := norm.NFC.String(out[starter].s + c.s); utf8.RuneCountInString(both) == 1 {
				out[starter].s = both
				continue
			}
		}
		if c.ccc == 0 {
			starter = len(out)
		}
		out = append(out, c)
	}
	var b []byte
	for _, c := range out {
		b = append(b, c.s...)
	}
	return string(b)
}

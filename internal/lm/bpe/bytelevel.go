package bpe

import "strings"

// Hugging Face's byte-level alphabet: a tokenizer.json is text, so each byte is written as a printable character. Those
// that print stand for themselves, the others for U+0100 upwards, in order; a space is Ġ and a line's end Ċ.

// byteRunes is the alphabet: the character of each byte.
var byteRunes = func() (runes [256]rune) {
	other := rune(256)
	for b := range 256 {
		if b > ' ' && b <= '~' || b >= 0xA1 && b != 0xAD {
			runes[b] = rune(b)
		} else {
			runes[b] = other
			other++
		}
	}
	return runes
}()

// fromBytes is a token's text in the alphabet.
func fromBytes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(byteRunes[text[i]])
	}
	return b.String()
}

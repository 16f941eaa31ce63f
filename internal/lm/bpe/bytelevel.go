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

var runeBytes = func() map[rune]byte {
	of := make(map[rune]byte, 256)
	for b, r := range byteRunes {
		of[r] = byte(b)
	}
	return of
}()

// toBytes is the text of a token in the alphabet. ok is false when it is not written in it.
func toBytes(token string) (text string, ok bool) {
	b := make([]byte, 0, len(token))
	for _, r := range token {
		c, ok := runeBytes[r]
		if !ok {
			return "", false
		}
		b = append(b, c)
	}
	return string(b), true
}

package bpe

import "unicode/utf8"

// Pattern is the regular expression of a piece, tried at the end of the piece before: an escape as in a Python string; an
// identifier or word, with the space or dot before it and the bracket that it calls or indexes with; one digit; punctuation
// with the space before it; white space, so that a line's end and the next line's indentation are one. It matches at every
// position of every text. Lengths are bounded, so that the cost of a piece is.
//
// It is written in the syntax that Go and Oniguruma share, and is what tokenizer.json says; [next] is the same by hand.
const Pattern = `\\[nrt"'\\]?` +
	`|[ .]?[A-Za-z_\x{80}-\x{10FFFF}]{1,32}[(\[]?` +
	`|[0-9]` +
	`| ?[^A-Za-z0-9_\x{80}-\x{10FFFF} \t\r\n\\]{1,6}` +
	`|[ \t\r\n]{1,32}`

// The lengths in Pattern.
const (
	maxWord  = 32 // runes
	maxPunct = 6
	maxSpace = 32
	// maxPiece is the length of the longest piece in bytes: a word with what rides along.
	maxPiece = 1 + maxWord*utf8.UTFMax + 1
)

// class is what Pattern makes of a byte.
type class byte

const (
	punct class = iota
	word
	digit
	space
	escape
)

func classOf(c byte) class {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= utf8.RuneSelf:
		return word
	case c >= '0' && c <= '9':
		return digit
	case c == ' ', c == '\t', c == '\r', c == '\n':
		return space
	case c == '\\':
		return escape
	}
	return punct
}

// next is the length of the piece at the start of s, which is not empty. A byte that is not UTF-8 is a letter by itself.
func next(s string) int {
	switch c := classOf(s[0]); {
	case c == escape:
		if len(s) > 1 {
			switch s[1] {
			case 'n', 'r', 't', '"', '\'', '\\':
				return 2
			}
		}
		return 1
	case c == word:
		return wordEnd(s, 0)
	case c == digit:
		return 1
	case (s[0] == ' ' || s[0] == '.') && len(s) > 1 && classOf(s[1]) == word:
		return wordEnd(s, 1)
	case c == punct:
		return run(s, 0, punct, maxPunct)
	case s[0] == ' ' && len(s) > 1 && classOf(s[1]) == punct:
		return run(s, 1, punct, maxPunct)
	}
	return run(s, 0, space, maxSpace)
}

// wordEnd is where the word that begins at i ends, with the bracket behind it.
func wordEnd(s string, i int) int {
	for n := 0; n < maxWord && i < len(s) && classOf(s[i]) == word; n++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	if i < len(s) && (s[i] == '(' || s[i] == '[') {
		i++
	}
	return i
}

// run is where the bytes of class c that begin at i end, at most limit of them.
func run(s string, i int, c class, limit int) int {
	limit += i
	for i < len(s) && i < limit && classOf(s[i]) == c {
		i++
	}
	return i
}

package bpe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The pieces of GPT-2 and of models whose tokenizers descend from it. The patterns are tried at the end of the piece before and
// match everywhere; they look ahead, which Go's regular expressions cannot, so they are here by hand. Pieces are as long as
// texts can be. A byte that is not UTF-8 counts as a symbol, which it becomes a part of.
//
// GPT-2: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// SmolLM2: the same between the numerals, each of which is a piece.

// qwen2Pattern is Qwen2's.
const qwen2Pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// kind is what these patterns make of a character.
type kind byte

const (
	symbol kind = iota
	letter
	number
	blank
	nothing // the end
)

// recent are letters and numbers of Unicode 15.1 and 16, which the tokenizers library knows and Go does not yet.
var (
	recentLetters = &unicode.RangeTable{
		R16: []unicode.Range16{{0x1c89, 0x1c8a, 1}, {0xa7cb, 0xa7cd, 1}, {0xa7da, 0xa7dc, 1}},
		R32: []unicode.Range32{
			{0x105c0, 0x105f3, 1}, {0x10d4a, 0x10d65, 1}, {0x10d6f, 0x10d85, 1}, {0x10ec2, 0x10ec4, 1}, {0x11380, 0x11389, 1},
			{0x1138b, 0x1138b, 1}, {0x1138e, 0x1138e, 1}, {0x11390, 0x113b5, 1}, {0x113b7, 0x113b7, 1}, {0x113d1, 0x113d1, 1},
			{0x113d3, 0x113d3, 1}, {0x11bc0, 0x11be0, 1}, {0x13460, 0x143fa, 1}, {0x16100, 0x1611d, 1}, {0x16d40, 0x16d6c, 1},
			{0x18cff, 0x18cff, 1}, {0x1e5d0, 0x1e5ed, 1}, {0x1e5f0, 0x1e5f0, 1}, {0x2ebf0, 0x2ee5d, 1},
		},
	}
	recentNumbers = &unicode.RangeTable{R32: []unicode.Range32{
		{0x10d40, 0x10d49, 1}, {0x116d0, 0x116e3, 1}, {0x11bf0, 0x11bf9, 1}, {0x16130, 0x16139, 1}, {0x16d70, 0x16d79, 1},
		{0x1ccf0, 0x1ccf9, 1}, {0x1e5f1, 0x1e5fa, 1},
	}}
	// latestNumbers are those of Unicode 17, which the library's splitting of numerals knows and its patterns do not.
	latestNumbers = &unicode.RangeTable{R32: []unicode.Range32{{0x11de0, 0x11de9, 1}, {0x16ff4, 0x16ff6, 1}}}
)

var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for r := range rune(utf8.RuneSelf) {
		kinds[r] = kindOf(r)
	}
	return kinds
}()

func kindOf(r rune) kind {
	switch {
	case unicode.IsLetter(r) || unicode.Is(recentLetters, r):
		return letter
	case unicode.IsNumber(r) || unicode.Is(recentNumbers, r):
		return number
	case unicode.Is(unicode.White_Space, r):
		return blank
	}
	return symbol
}

// kindAt is the kind of the character at i, and where the next one begins.
func kindAt(s string, i int) (kind, int) {
	if i >= len(s) {
		return nothing, i
	}
	if s[i] < utf8.RuneSelf {
		return asciiKinds[s[i]], i + 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return kindOf(r), i + size
}

// numeral says whether SmolLM2 makes a piece of the character at i, and where that ends.
func numeral(s string, i int) (bool, int) {
	if i < len(s) && s[i] < utf8.RuneSelf {
		return asciiKinds[s[i]] == number, i + 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return kindOf(r) == number || unicode.Is(latestNumbers, r), i + size
}

// runOf is where the characters of a kind that begin at i end.
func runOf(s string, i int, k kind) int {
	for {
		now, end := kindAt(s, i)
		if now != k {
			return i
		}
		i = end
	}
}

func nextGPT2(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	start := 0
	if s[0] == ' ' {
		start = 1
	}
	if k, _ := kindAt(s, start); k == letter || k == number || k == symbol {
		return runOf(s, start, k)
	}
	return blanks(s, runOf(s, 0, blank), false)
}

// nextSmolLM cuts at every numeral as if the text began and ended there.
func nextSmolLM(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	if is, end := numeral(s, 0); is {
		return end
	}
	start := 0
	if s[0] == ' ' {
		start = 1
	}
	if k, _ := kindAt(s, start); k == letter {
		return runOf(s, start, k)
	} else if is, _ := numeral(s, start); k == symbol && !is {
		i := start
		for {
			k, end := kindAt(s, i)
			if is, _ := numeral(s, i); k != symbol || is {
				return i
			}
			i = end
		}
	}
	end := runOf(s, 0, blank)
	is, _ := numeral(s, end)
	return blanks(s, end, is)
}

func nextQwen2(s string) int {
	if n := contractionFolded(s); n > 0 {
		return n
	}
	first, end := kindAt(s, 0)
	switch {
	case first == letter:
		return runOf(s, 0, letter)
	case first == number:
		return end
	case s[0] != '\r' && s[0] != '\n':
		if k, _ := kindAt(s, end); k == letter {
			return runOf(s, end, letter)
		}
	}
	start := 0
	if s[0] == ' ' {
		start = 1
	}
	if k, _ := kindAt(s, start); k == symbol {
		end = runOf(s, start, symbol)
		for end < len(s) && (s[end] == '\r' || s[end] == '\n') {
			end++
		}
		return end
	}
	end = runOf(s, 0, blank)
	if at := strings.LastIndexAny(s[:end], "\r\n"); at >= 0 {
		return at + 1
	}
	return blanks(s, end, false)
}

// blanks is how much of the white space up to end is one piece: all at the end of a text, else all but the last character, which
// goes with what follows if it can.
func blanks(s string, end int, last bool) int {
	_, size := utf8.DecodeLastRuneInString(s[:end])
	if end == len(s) || last || end == size {
		return end
	}
	return end - size
}

var contractions = []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// contraction is the length of what a text begins with of these, 0 of none.
func contraction(s string) int {
	if s[0] == '\'' {
		for _, c := range contractions {
			if strings.HasPrefix(s, c) {
				return len(c)
			}
		}
	}
	return 0
}

// contractionFolded is the same in upper case too, to which a long s belongs.
func contractionFolded(s string) int {
	if s[0] != '\'' {
		return 0
	}
	if strings.HasPrefix(s, "'ſ") {
		return len("'ſ")
	}
	for _, c := range contractions {
		if len(s) >= len(c) && strings.EqualFold(s[:len(c)], c) {
			return len(c)
		}
	}
	return 0
}

package alike

import (
	"slices"
	"strings"
)

// Signs of a line that stands further in, or further out, than the one before.
const inward, outward = "<in>", "<out>"

// Indented puts a sign before each line that stands further in or out than the line before it, where no bracket is open: for
// languages in which that says what belongs to what.
func Indented(tokens []Token) []Token {
	out := make([]Token, 0, len(tokens))
	depth, level := 0, int32(-1)
	for _, t := range tokens {
		if t.col >= 0 && depth == 0 {
			switch {
			case level >= 0 && t.col > level:
				out = append(out, Token{Text: inward, Line: t.Line, bare: inward, col: t.col})
			case t.col < level:
				out = append(out, Token{Text: outward, Line: t.Line, bare: outward, col: t.col})
			}
			level = t.col
		}
		if t.kind == sign && len(t.Text) == 1 {
			if strings.Contains("([{", t.Text) {
				depth++
			} else if strings.Contains(")]}", t.Text) {
				depth = max(0, depth-1)
			}
		}
		out = append(out, t)
	}
	return out
}

func (t Token) layout() bool { return t.Text == inward || t.Text == outward }

// OnlyLayout reports the text of a departure that is nothing but how far in lines stand.
func OnlyLayout(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w != inward && w != outward })
}

// wholeLines reports tokens that share no line with others.
func wholeLines(tokens []Token, low, high int) bool {
	before := low
	for before > 0 && tokens[before-1].layout() {
		before--
	}
	for low < high && tokens[low].layout() {
		low++
	}
	return low < high && (before == 0 || tokens[before-1].Line < tokens[low].Line) &&
		(high == len(tokens) || tokens[high-1].Line < tokens[high].Line || tokens[high-1].layout())
}

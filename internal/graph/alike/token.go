package alike

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/language"
)

// Token is a word, a number or a sign. What is in a string is tokens as well, behind its opening quote.
type Token struct {
	Text string
	Line int32
	kind kind
	bare string // the text without the file's own name
	col  int32  // where the first of a line stands in it; -1 for others
}

type kind uint8

const (
	sign kind = iota
	word      // a name
	number
	keyword
	quoted // a word or sign within a string
)

// maxTokens bounds the tokens of a piece, maxQuoted those of a string.
const (
	maxTokens = 20_000
	maxQuoted = 60
)

// Tokens cuts a text of a family of languages into tokens, without its comments. The text begins on the given line, in a file
// with a name of its own.
func Tokens(family, text string, line int, name *Own) []Token {
	l := newLexer(text, line, name)
	l.hash, l.slashes = language.Comments(family)
	for l.at < len(text) && len(l.out) < maxTokens {
		l.next()
	}
	return l.out
}

// Words cuts prose into tokens.
func Words(text string, line int, name *Own) []Token {
	l := newLexer(text, line, name)
	l.inside(text)
	return l.out
}

// Line writes tokens without the names that are their file's own. It says whether there is a word among them.
func Line(tokens []Token) (text string, telling bool) {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.bare + " ")
		telling = telling || t.kind != sign
	}
	return b.String(), telling
}

type lexer struct {
	text          string
	at            int
	line          int32
	hash, slashes bool // begin comments
	own           *Own
	bare          map[string]string // texts without it
	out           []Token
}

func newLexer(text string, line int, name *Own) *lexer {
	l := &lexer{text: text, line: int32(line), own: name}
	if name != nil {
		l.bare = map[string]string{}
	}
	return l
}

func (l *lexer) add(text string, k kind) {
	bare := text
	if l.own != nil && (k == word || k == quoted) {
		var known bool
		if bare, known = l.bare[text]; !known {
			bare = l.own.Without(text)
			l.bare[text] = bare
		}
	}
	col := int32(-1)
	if n := len(l.out); n == 0 || l.out[n-1].Line < l.line {
		col = int32(l.at - 1 - strings.LastIndexByte(l.text[:l.at], '\n'))
	}
	l.out = append(l.out, Token{text, l.line, k, bare, col})
}

func (l *lexer) skip(n int) {
	n = min(n, len(l.text)-l.at)
	l.line += int32(strings.Count(l.text[l.at:l.at+n], "\n"))
	l.at += n
}

// until is how far it is to the end of a text, behind it; to the end of all where it does not come.
func (l *lexer) until(end string) int {
	if i := strings.Index(l.text[l.at:], end); i >= 0 {
		return i + len(end)
	}
	return len(l.text) - l.at
}

func (l *lexer) next() {
	rest := l.text[l.at:]
	c := rest[0]
	switch {
	case c == '\n' || c == ' ' || c == '\t' || c == '\r':
		l.skip(1)
	case c == '#' && l.hash && !strings.HasPrefix(rest, "#["), l.slashes && strings.HasPrefix(rest, "//"):
		l.skip(l.until("\n") - 1 + btoi(!strings.Contains(rest, "\n")))
	case l.slashes && strings.HasPrefix(rest, "/*"):
		l.skip(2)
		l.skip(l.until("*/"))
	case strings.HasPrefix(rest, `"""`) || l.hash && strings.HasPrefix(rest, "'''"):
		l.triple(rest[:3])
	case c == '"' || c == '\'' || c == '`':
		l.quote(rest)
	case c >= '0' && c <= '9':
		n := 1
		for n < len(rest) && (isWord(rune(rest[n])) || rest[n] == '.' && n+1 < len(rest) && rest[n+1] >= '0' && rest[n+1] <= '9') {
			n++
		}
		l.add(rest[:n], number)
		l.at += n
	default:
		r, _ := utf8.DecodeRuneInString(rest)
		if isWord(r) {
			n := wordLen(rest)
			k := word
			if keywords[rest[:n]] {
				k = keyword
			}
			l.add(rest[:n], k)
			l.at += n
			return
		}
		n := signLen(rest)
		l.add(rest[:n], sign)
		l.at += n
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// triple reads a string in three quotes. One that stands alone is a comment.
func (l *lexer) triple(mark string) {
	alone := len(l.out) == 0 || l.out[len(l.out)-1].Line < l.line && (l.out[len(l.out)-1].Text == ":" || l.out[len(l.out)-1].Text == ")")
	l.skip(3)
	n := l.until(mark)
	if alone {
		l.skip(n)
		return
	}
	l.inside(strings.TrimSuffix(l.text[l.at:l.at+n], mark))
	l.at += min(3, n)
}

func (l *lexer) quote(rest string) {
	mark, n := rest[0], 1
	for n < len(rest) && rest[n] != mark && (rest[n] != '\n' || mark == '`') {
		if rest[n] == '\\' && mark != '`' {
			n++
		}
		n++
	}
	n = min(n, len(rest))
	l.at++
	l.inside(rest[1:n])
	if n < len(rest) && rest[n] == mark {
		l.at++
	}
}

// inside reads what stands in a string, and goes behind it. White space is told from nothing only where it is all.
func (l *lexer) inside(text string) {
	l.add(`"`, sign)
	end := l.at + len(text)
	if text != "" && strings.TrimSpace(text) == "" {
		l.add(text, quoted)
	}
	for k := 0; l.at < end && k < maxQuoted; {
		rest := l.text[l.at:end]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			l.skip(size)
			continue
		case isWord(r):
			size = max(wordLen(rest), l.own.leads(rest))
		case r == '\\' && len(rest) > 1:
			_, next := utf8.DecodeRuneInString(rest[1:])
			size += next
		}
		l.add(rest[:size], quoted)
		l.skip(size)
		k++
	}
	l.skip(end - l.at)
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func wordLen(s string) int {
	for i, r := range s {
		if !isWord(r) {
			return i
		}
	}
	return len(s)
}

var signs = strings.Fields("=== !== <=> ... >>> ** == != <= >= && || :: -> => := ?. ?? ++ -- += -= *= /= %= &= |= << >> <-")

func signLen(s string) int {
	for _, sign := range signs {
		if strings.HasPrefix(s, sign) {
			return len(sign)
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return size
}

var keywords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`if else elif elsif for while do switch case default break continue return yield raise throw try
		except catch finally rescue ensure with as in is not and or None null nil undefined true True false False def class function func
		fn new await async defer go select range lambda pass assert del delete import from export const let var static final public
		private protected void int long double boolean string self this super unless until begin end then when match typeof instanceof
		synchronized throws struct interface type map chan echo isset empty global nonlocal`) {
		set[w] = true
	}
	return set
}()

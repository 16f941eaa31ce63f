package locate

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
)

// field is the part of a file that a word stands in.
type field uint8

const (
	inCode  field = iota
	inProse       // comments, docstrings
	inString
	inPath
	inNames // the names of what is defined
	fields
)

// scan tells apart what is code, prose and strings in a text, roughly and for every language alike: it knows the marks of
// comments and quotes, not a grammar. Each piece is of one field.
func scan(lang, text string, piece func(f field, text string, at int)) {
	if !language.Source(lang) {
		piece(inProse, text, 0)
		return
	}
	hash, slashes := language.Comments(lang)
	from := 0
	flush := func(to int) {
		if from < to {
			piece(inCode, text[from:to], from)
		}
	}
	for i := 0; i < len(text); {
		f, end := inCode, 0
		switch c := text[i]; {
		case c == '#' && hash && !strings.HasPrefix(text[i:], "#["): // PHP's attributes
			f, end = inProse, until(text, i+1, "\n")
		case c == '/' && slashes && strings.HasPrefix(text[i:], "//"):
			f, end = inProse, until(text, i+2, "\n")
		case c == '/' && slashes && strings.HasPrefix(text[i:], "/*"):
			f, end = inProse, until(text, i+2, "*/")
		case c == '"' && strings.HasPrefix(text[i:], `"""`):
			f, end = inProse, until(text, i+3, `"""`)
		case c == '\'' && strings.HasPrefix(text[i:], `'''`):
			f, end = inProse, until(text, i+3, `'''`)
		case c == '"' || c == '\'':
			f, end = inString, quoted(text, i)
		}
		if end == 0 {
			i++
			continue
		}
		flush(i)
		piece(f, text[i:end], i)
		i, from = end, end
	}
	flush(len(text))
}

func until(text string, from int, mark string) int {
	if n := strings.Index(text[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(text)
}

// quoted is where a string that begins at i ends, 0 where it does not end in its line.
func quoted(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case '\n':
			return 0
		case text[i]:
			return j + 1
		}
	}
	return 0
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// shellWords writes the list of a command as the words of an f-string and names the first value in it; hole is "" when
// there is none, or when a word cannot be written so.
func shellWords(list syntax.Node) (words []string, hole string) {
	for c := range list.NamedChildren() {
		switch {
		case c.Kind() == "comment":
		case c.Kind() == "string":
			text, _, ok := plainString(c)
			if !ok || strings.ContainsAny(text, "\"{}'\n $") {
				return nil, ""
			}
			words = append(words, text)
		case named(c):
			words = append(words, "{"+c.Text()+"}")
			if hole == "" {
				hole = c.Text()
			}
		case c.Kind() == "call" && len(args(c)) == 1 && callee(c) == "str" && named(args(c)[0]):
			words = append(words, "{"+args(c)[0].Text()+"}")
			if hole == "" {
				hole = args(c)[0].Text()
			}
		default:
			return nil, ""
		}
	}
	return words, hole
}

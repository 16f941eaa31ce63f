package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// AppendTruncates opens a file that is added to in a way that empties it.
func (*operators) AppendTruncates(s *source) {
	for _, c := range s.nodes("call") {
		if method(c) != "open" {
			continue
		}
		mode := keyword(c, "mode")
		if a := args(c); !mode.Valid() && len(a) > 0 {
			mode = a[min(1, len(a)-1)]
			if callee(c) != "open" && len(a) == 1 { // path.open("a")
				mode = a[0]
			}
		}
		if !appending(mode) {
			continue
		}
		s.Report(s.Replace(mode, strings.Replace(mode.Text(), "a", "w", 1)),
			"%s opens `%s` for writing instead of appending: everything that was in the file before is lost with each call.", where(c), short(c))
	}
}

func appending(mode syntax.Node) bool {
	if mode.Kind() != "string" {
		return false
	}
	switch strings.Trim(mode.Text(), `"'`) {
	case "a", "ab", "at", "a+", "ab+", "a+b":
		return true
	}
	return false
}

package look

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Show is lines a to b of a file, each behind its number: "  12| text". a and b are clamped to the file; b of 0 is its
// last line. The text is cut at about most bytes, and says so.
func Show(code *codebase.Codebase, path string, a, b, most int) (string, error) {
	text, ok := code.Text(path)
	if !ok {
		return "", fmt.Errorf("%q is no file of the codebase%s", path, Near(code, path))
	}
	f, _ := code.File(path)
	a = max(a, 1)
	if b <= 0 || b > f.Lines {
		b = f.Lines
	}
	if a > b {
		return fmt.Sprintf("%s has %s: there are none from %d to %d\n", Name(path), termtext.Plural(f.Lines, "line"), a, b), nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "=== %s (lines %d-%d of %d) ===\n", Name(path), a, b, f.Lines)
	n := 0
	for line := range strings.Lines(text) {
		if n++; n < a {
			continue
		}
		if n > b {
			break
		}
		if room := most - out.Len() - number; len(line) > room {
			if n == a { // show(path, n) would say the same again
				Numbered(&out, n, termtext.Cut(line, max(0, room)))
				fmt.Fprintf(&out, "... line %d is cut: codebase[path] has all of it\n", n)
				n++
			}
			if n <= b {
				fmt.Fprintf(&out, "... cut at line %d: show(path, %d, %d) goes on\n", n, n, b)
			}
			break
		}
		Numbered(&out, n, line)
	}
	return out.String(), nil
}

// number is how many bytes a line's number takes in most files.
const number = len("1234| \n")

// Name is a path on one line: one that could end the line, or pass for the quotation of another, is quoted.
func Name(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) || strings.HasPrefix(path, `"`) {
		return strconv.Quote(path)
	}
	return path
}

// Numbered writes a line of code behind its number, as the root and its workers see code.
func Numbered(b *strings.Builder, n int, line string) {
	fmt.Fprintf(b, "%4d| %s\n", n, strings.TrimRight(line, "\r\n"))
}

package look

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// Show is lines a to b of a file, each behind its number: "  12| text". a and b are clamped to the file; b of 0 is its
// last line. The text is cut at most characters.
func Show(code *codebase.Codebase, path string, a, b, most int) (string, error) {
	text, ok := code.Text(path)
	if !ok {
		return "", fmt.Errorf("%q is not in the codebase", path)
	}
	f, _ := code.File(path)
	a = max(a, 1)
	if b <= 0 || b > f.Lines {
		b = f.Lines
	}
	if a > b {
		return fmt.Sprintf("%s has %d lines\n", path, f.Lines), nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "=== %s (lines %d-%d of %d) ===\n", path, a, b, f.Lines)
	n := 0
	for line := range strings.Lines(text) {
		if n++; n < a {
			continue
		}
		if n > b {
			break
		}
		if out.Len() > most {
			fmt.Fprintf(&out, "... cut at line %d: show(%q, %d, %d) goes on\n", n, path, n, b)
			break
		}
		Numbered(&out, n, line)
	}
	return out.String(), nil
}

// Numbered writes a line of code behind its number, as the root and its workers see code.
func Numbered(b *strings.Builder, n int, line string) {
	fmt.Fprintf(b, "%4d| %s\n", n, strings.TrimRight(line, "\r\n"))
}

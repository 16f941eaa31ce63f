package look

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Limits on one call, whatever was asked for.
const (
	MaxMatches = 5_000
	MaxContext = 20
	maxPattern = 2_000 // bytes
	maxLine    = 400   // bytes of a line that are kept
)

// Query is what grep looks for.
type Query struct {
	Pattern string `json:"pattern"`
	Glob    string `json:"glob"`    // of paths; "" is all files
	Context int    `json:"context"` // lines shown before and after
	Limit   int    `json:"limit"`   // matching lines that are kept
}

// Match is one line that matches.
type Match struct {
	File string
	Line int // 1-based
	Text string
}

// Matches is what a query found.
type Matches struct {
	Lines []Match
	Total int // matching lines, also those beyond the limit
	Files int // files that hold them
	Text  string
}

// Grep finds the lines that match a pattern, in the order of the paths. An error says what is wrong with the pattern.
func Grep(code *codebase.Codebase, q Query) (Matches, error) {
	if len(q.Pattern) > maxPattern {
		return Matches{}, fmt.Errorf("the pattern has more than %d characters", maxPattern)
	}
	pattern, err := regexp.Compile("(?m)" + q.Pattern)
	if err != nil {
		return Matches{}, explain(q.Pattern, err)
	}
	in, err := Glob(q.Glob)
	if err != nil {
		return Matches{}, err
	}
	limit := min(max(q.Limit, 0), MaxMatches)
	around := min(max(q.Context, 0), MaxContext)
	var m Matches
	var out strings.Builder
	files := 0
	for _, path := range code.Paths() {
		if !in(path) {
			continue
		}
		files++
		text, _ := code.Text(path)
		if !mayMatch(pattern, q.Pattern, text) {
			continue
		}
		found := m.file(path, text, pattern, limit)
		if len(found) > 0 {
			write(&out, path, text, found, around)
		}
	}
	if m.Total > len(m.Lines) {
		fmt.Fprintf(&out, "%d of %d matching lines in %d files are shown: narrow the pattern, or raise limit\n", len(m.Lines), m.Total, m.Files)
	}
	switch {
	case files == 0 && q.Glob != "":
		fmt.Fprintf(&out, "no file matches the glob %q%s\n", q.Glob, Near(code, q.Glob))
	case m.Total == 0 && q.Glob != "":
		fmt.Fprintf(&out, "no line matches in the %d files of the glob %q (** spans directories)\n", files, q.Glob)
	case m.Total == 0:
		out.WriteString("no line matches\n")
	}
	m.Text = out.String()
	return m, nil
}

// mayMatch says in one pass over a text whether a line of it can match: most files hold nothing. Ends of a line that are
// not a newline, and anchors to a text's ends, are seen only line by line.
func mayMatch(compiled *regexp.Regexp, pattern, text string) bool {
	return strings.Contains(text, "\r") || strings.Contains(pattern, `\A`) || strings.Contains(pattern, `\z`) || compiled.MatchString(text)
}

// file adds a file's matches and gives the lines of those that are kept.
func (m *Matches) file(path, text string, pattern *regexp.Regexp, limit int) (found []int) {
	n, any := 0, false
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimRight(line, "\r\n"); !pattern.MatchString(line) {
			continue
		}
		m.Total++
		any = true
		if len(m.Lines) < limit {
			m.Lines = append(m.Lines, Match{path, n, clip(line)})
			found = append(found, n)
		}
	}
	if any {
		m.Files++
	}
	return found
}

// write prints a file's matches: "path:12: text", and "path-11- text" around them, as grep does.
func write(b *strings.Builder, path, text string, found []int, around int) {
	hit := make(map[int]bool, len(found))
	for _, n := range found {
		hit[n] = true
	}
	n, next, last, name := 0, 0, 0, Name(path)
	for line := range strings.Lines(text) {
		n++
		for next < len(found) && found[next]+around < n {
			next++
		}
		if next == len(found) {
			return
		}
		if n < found[next]-around {
			continue
		}
		if around > 0 && last > 0 && n > last+1 {
			b.WriteString("--\n")
		}
		mark := "-"
		if hit[n] {
			mark = ":"
		}
		fmt.Fprintf(b, "%s%s%d%s %s\n", name, mark, n, mark, clip(strings.TrimRight(line, "\r\n")))
		last = n
	}
}

func clip(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return fmt.Sprintf("%s ... (%d characters)", termtext.Cut(line, maxLine), utf8.RuneCountInString(line))
}

// explain tells those who know Python's patterns what is missing here.
func explain(pattern string, err error) error {
	var e *syntax.Error
	behind := strings.Contains(pattern, "(?<=") || strings.Contains(pattern, "(?<!")
	if errors.As(err, &e) && (behind || e.Code == syntax.ErrInvalidPerlOp || e.Code == syntax.ErrInvalidEscape) {
		return fmt.Errorf("bad pattern %q (%s): it is RE2's syntax, without lookaround and backreferences; use re over codebase[path] for those",
			pattern, e.Code)
	}
	if errors.As(err, &e) {
		return fmt.Errorf("bad pattern %q: %s", pattern, e.Code)
	}
	return err
}

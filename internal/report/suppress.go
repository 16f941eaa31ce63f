package report

import (
	"bufio"
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// SuppressFile is the name of the suppress file in the root of a repository.
const SuppressFile = ".deeprepo-suppress"

// Suppressions are the decisions of a suppress file. The zero value holds none.
type Suppressions struct{ rules []suppressRule }

type suppressRule struct {
	id       string
	category string // "*" for every one
	glob     *regexp.Regexp
	reason   string
}

// SuppressError is a fault in a suppress file.
type SuppressError struct {
	Line int
	Text string
	Why  string
}

func (e *SuppressError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %q", SuppressFile, e.Line, e.Why, e.Text)
}

// Hint says how a line should look.
func (e *SuppressError) Hint() string {
	return `each line is a finding's id, or a category and a path pattern, and may end in "# reason": ` +
		`"weak-crypto legacy/** # kept for old clients"`
}

const (
	maxSuppressBytes = 1 << 20
	maxSuppressLines = 10_000
	maxPattern       = 1024
)

// ParseSuppressions reads a suppress file. Every line is empty, a comment that begins with '#', a finding's ID, or a
// category (or *) and a path pattern with *, ? and **; what follows " #" is the reason. A fault is a *SuppressError.
func ParseSuppressions(data []byte) (Suppressions, error) {
	var s Suppressions
	if len(data) > maxSuppressBytes {
		return s, &SuppressError{Line: 1, Why: fmt.Sprintf("the file is larger than %d bytes", maxSuppressBytes)}
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, maxSuppressBytes+1)
	for n := 1; sc.Scan(); n++ {
		raw := strings.TrimPrefix(strings.ToValidUTF8(sc.Text(), "\uFFFD"), "\uFEFF")
		line := strings.TrimSpace(raw)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fault := func(why string) (Suppressions, error) {
			return Suppressions{}, &SuppressError{Line: n, Text: termtext.Inline(clip(line, 120)), Why: why}
		}
		if n > maxSuppressLines {
			return fault("too many lines")
		}
		var r suppressRule
		if i := strings.Index(line, " #"); i >= 0 {
			r.reason = strings.TrimSpace(line[i+2:])
			line = strings.TrimSpace(line[:i])
		}
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case finding.IsID(word) && rest == "":
			r.id = word
		case finding.IsID(word):
			return fault("an id stands alone on its line")
		case word != "*" && !slices.Contains(taxonomy.Categories(), word):
			return fault("neither an id nor a category")
		case rest == "":
			return fault("the path pattern is missing (** means everywhere)")
		case len(rest) > maxPattern:
			return fault("the path pattern is too long")
		default:
			r.category = word
			r.glob = PathPattern(rest)
		}
		s.rules = append(s.rules, r)
	}
	return s, nil
}

// PathPattern compiles a path pattern: "*" and "?" within a segment, "**" across them, "dir/" for all below, and a
// pattern without a slash for that name in any directory.
func PathPattern(glob string) *regexp.Regexp {
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	if anchored := strings.HasPrefix(glob, "/"); anchored {
		glob = strings.TrimPrefix(glob, "/")
	} else if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for i := 0; i < len(glob); i++ {
		switch {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(`.*`)
			i++
		case glob[i] == '*':
			b.WriteString(`[^/]*`)
		case glob[i] == '?':
			b.WriteString(`[^/]`)
		default:
			j := i
			for j < len(glob) && glob[j] != '*' && glob[j] != '?' {
				j++
			}
			b.WriteString(regexp.QuoteMeta(glob[i:j]))
			i = j - 1
		}
	}
	b.WriteString(`$`)
	return regexp.MustCompile(b.String()) // quoted literals and fixed parts always compile
}

// Apply parts findings into those to report and those that a comment in the source, ours or another tool's, or a rule of the
// file leaves out. src may be nil: then comments are not looked for.
func (s Suppressions) Apply(src Source, fs []finding.Finding) (kept []finding.Finding, suppressed []runfile.Suppressed) {
	marks := map[string][]foreign{} // by file
	for _, f := range fs {
		if reason, ok := s.matches(f); ok {
			suppressed = append(suppressed, runfile.Suppressed{Finding: f, By: "file", Reason: reason})
			continue
		}
		if reason, ok := commented(src, f); ok {
			suppressed = append(suppressed, runfile.Suppressed{Finding: f, By: "comment", Reason: reason})
			continue
		}
		if _, known := marks[f.File]; !known && src != nil {
			text, _ := src.Text(f.File)
			marks[f.File] = foreignMarks(text)
		}
		if says, ok := marked(marks[f.File], f); ok {
			suppressed = append(suppressed, runfile.Suppressed{Finding: f, By: "comment", Reason: says})
			continue
		}
		kept = append(kept, f)
	}
	return kept, suppressed
}

func (s Suppressions) matches(f finding.Finding) (reason string, ok bool) {
	for _, r := range s.rules {
		if r.id != "" && r.id == f.ID {
			return r.reason, true
		}
		if r.glob != nil && (r.category == "*" || r.category == f.Category) && r.glob.MatchString(path.Clean(f.File)) {
			return r.reason, true
		}
	}
	return "", false
}

var (
	// ignoreMark is a comment's opening in any of the languages we know, and the words after the mark.
	ignoreMark    = pattern.New(`(?:#|//|/\*|<!--|\(\*|\{-|<%--|(?:^|\s)(?:\*|--|;|%|')).*?\bdeeprepo:ignore(?:[ \t]+(.*))?$`)
	commentCloser = pattern.New(`\s*(?:\*/|--%?>|\*\)|-\}|#\})\s*\}?\s*$`)
)

// commented looks for "deeprepo:ignore [category|id ...] [-- reason]" in a comment on the finding's first line, or on the
// line above when that holds only the comment. Words that are neither make the comment void: a mistyped category
// must not silence everything.
func commented(src Source, f finding.Finding) (reason string, ok bool) {
	if src == nil || f.Line < 1 {
		return "", false
	}
	text, ok := src.Text(f.File)
	if !ok {
		return "", false
	}
	for _, line := range []int{f.Line, f.Line - 1} {
		at, ok := finding.Quote(text, line, line)
		if !ok || len(at) > 4096 {
			continue
		}
		m := ignoreMark.FindStringSubmatchIndex(strings.TrimRight(commentCloser.ReplaceAllString(at, ""), " \t\r"))
		if m == nil || line != f.Line && strings.Trim(at[:m[0]], " \t{") != "" {
			continue
		}
		args := ""
		if m[2] >= 0 {
			args = at[m[2]:m[3]]
		}
		words, reason, _ := strings.Cut(" "+args, " --")
		if silences(strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }), f) {
			return strings.TrimSpace(reason), true
		}
	}
	return "", false
}

func silences(words []string, f finding.Finding) bool {
	hit := len(words) == 0
	for _, w := range words {
		if !finding.IsID(w) && !slices.Contains(taxonomy.Categories(), w) {
			return false
		}
		hit = hit || w == f.ID || w == f.Category
	}
	return hit
}

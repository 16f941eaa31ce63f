package report

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// foreign is where a mark for another tool stands, and what it silences.
type foreign struct {
	from, to int    // 1-based lines, inclusive
	says     string // the mark as it is written, with its reason
	about    func(category string) bool
}

const (
	longLine    = 4096
	longestSpan = 10      // of a statement whose last line may hold its mark
	longBlock   = 1 << 18 // bytes of a declaration that are looked through for its end
	mostMarks   = 1_000   // of a file
)

var (
	codeWords = pattern.New(`[\w./:@-]+`)
	quoted    = pattern.New(`"([^"]*)"`)
	justified = pattern.New(`\bjustification\s*=\s*"[^"]*"`)
)

// anyMark tells whether a text may hold a mark: a look that costs little beside the patterns.
func anyMark(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc([]string{"nosec", "noqa", "nosonar", "nolint", "nosem", "eslint-", "pylint", "rubocop", "gitleaks",
		"allowlist", "@suppress", "shellcheck", "#pragma"}, func(word string) bool { return strings.Contains(lower, word) })
}

// foreignMarks finds the marks for other tools in a file's text. What names other matters than ours silences nothing.
func foreignMarks(text string) []foreign {
	if !anyMark(text) {
		return nil
	}
	var all []foreign
	var open []int // those of all that reach to a line which has not come yet
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > longLine || !anyMark(line) {
			continue
		}
		for _, t := range tools {
			if t.end != nil && t.end.MatchString(line) {
				for _, o := range open {
					all[o].to = i + 1
				}
				open = open[:0]
			}
			m := t.mark.FindStringSubmatchIndex(line)
			if m == nil {
				continue
			}
			names := ""
			if m[2] >= 0 {
				names = line[m[2]:m[3]]
			}
			says := strings.TrimSpace(commentCloser.ReplaceAllString(line[m[0]:], ""))
			f := foreign{says: clip(says, 200), about: t.means(names)}
			f.from, f.to = t.lines(lines, i, strings.TrimSpace(line[:m[0]]) == "")
			if f.about == nil || len(all) == mostMarks {
				continue
			}
			if t.reach == toEnd {
				open = append(open, len(all))
			}
			all = append(all, f)
		}
	}
	return all
}

// means is what a mark is about that names codes, or nothing; nil where that is nothing of ours.
func (t *tool) means(names string) func(string) bool {
	var said []string
	if t.reach == declaration {
		for _, m := range quoted.FindAllStringSubmatch(justified.ReplaceAllString(names, ""), -1) {
			said = append(said, m[1])
		}
	} else {
		said = codeWords.FindAllString(names, -1)
	}
	if len(said) == 0 {
		return t.bare
	}
	var about []string
	for _, code := range said {
		about = append(about, t.named(code)...)
	}
	if len(about) == 0 {
		return nil
	}
	return func(category string) bool { return slices.Contains(about, category) }
}

// lines are the lines that a mark in line i is about, 1-based; one toEnd ends earlier where its end comes. It stands alone
// where nothing is before it.
func (t *tool) lines(all []string, i int, alone bool) (from, to int) {
	here, next := i+1, i+2
	switch {
	case t.reach == nextLine, t.reach == thisOrNext && alone:
		return next, next
	case t.reach == toEnd:
		return here, len(all)
	case t.reach == declaration:
		return here, blockEnd(all, i, false)
	case t.reach == lineOrBlock && alone:
		return next, opened(all, i+1)
	case t.reach == lineOrBlock:
		return here, opened(all, i)
	}
	return here, here
}

var goDeclaration = pattern.New(`^(?:func|type|var|const)\b`)

// opened is the last line of what Go declares in line i, the line itself where it declares nothing.
func opened(all []string, i int) int {
	if i < len(all) && goDeclaration.MatchString(all[i]) {
		return blockEnd(all, i, true)
	}
	return i + 1
}

// blockEnd is the last line, 1-based, of the declaration that begins in line i: of its block in braces, or up to the
// semicolon, or the line's end, of one that has none.
func blockEnd(all []string, i int, newline bool) int {
	depth, round, closer := 0, 0, ""
	for j, left := i, longBlock; j < len(all) && left > 0; j++ {
		line := all[j]
		left -= len(line) + 1
		for k := 0; k < len(line); k++ {
			c := line[k]
			switch {
			case closer != "":
				if c == '\\' && closer != "*/" && closer != "`" {
					k++
				} else if strings.HasPrefix(line[k:], closer) {
					k += len(closer) - 1
					closer = ""
				}
			case strings.HasPrefix(line[k:], "//"):
				k = len(line)
			case strings.HasPrefix(line[k:], "/*"):
				closer = "*/"
				k++
			case c == '"', c == '\'', c == '`':
				closer = string(c)
			case c == '(':
				round++
			case c == ')':
				round--
			case depth == 0 && strings.HasPrefix(line[k:], "{}") && strings.Contains(line[k+2:], "{"):
				k++ // a type: func() interface{} {
			case c == '{' && round == 0:
				depth++
			case c == '}' && round == 0:
				if depth--; depth <= 0 {
					return j + 1
				}
			case c == ';' && depth == 0 && round == 0:
				return j + 1
			}
		}
		if closer == `"` || closer == "'" {
			closer = "" // such strings end with their line
		}
		if newline && depth == 0 && round == 0 && closer == "" {
			return j + 1
		}
	}
	return i + 1
}

// marked tells whether a mark for another tool silences a finding: one about its first line, or about the last line of a
// short statement.
func marked(marks []foreign, f finding.Finding) (says string, ok bool) {
	for _, m := range marks {
		in := func(line int) bool { return m.from <= line && line <= m.to }
		if (in(f.Line) || f.EndLine-f.Line < longestSpan && in(f.EndLine)) && m.about(f.Category) {
			return m.says, true
		}
	}
	return "", false
}

package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

func withStatus(fs []finding.Finding, status string) []finding.Finding {
	var some []finding.Finding
	for _, f := range fs {
		if f.Status == status {
			some = append(some, f)
		}
	}
	return some
}

// ChangeHeadline is the result of a change's review in one line: how many findings are new, by severity, and how many of all were
// there before or are fixed.
func ChangeHeadline(fresh map[string]int, all, fixed int) string {
	n := 0
	for _, of := range fresh {
		n += of
	}
	text, rest := plural(n, "new finding", "new findings")+bySeverity(fresh), []string{}
	if before := all - n; before > 0 {
		rest = append(rest, count(before)+" that "+map[bool]string{true: "was", false: "were"}[before == 1]+" there before")
	}
	if fixed > 0 {
		rest = append(rest, count(fixed)+" fixed")
	}
	if len(rest) > 0 {
		text += "; " + strings.Join(rest, ", ")
	}
	return text
}

// before marks a finding that a change did not bring in.
func before(f finding.Finding) string {
	if f.Status == runfile.PreExisting {
		return "there before: "
	}
	return ""
}

// setAsideByChange are the findings that a change's own comments and decisions leave out.
func setAsideByChange(r runfile.Report) []finding.Finding {
	var all []finding.Finding
	for _, s := range r.Suppressed {
		if s.ByChange {
			all = append(all, s.Finding)
		}
	}
	return all
}

// AsideSentence says how many findings a change itself sets aside, "" where it sets none.
func AsideSentence(r runfile.Report) string {
	n := len(setAsideByChange(r))
	if n == 0 {
		return ""
	}
	return plural(n, "finding is", "findings are") + " set aside by comments or decisions that this change itself adds"
}

// ChangeSentence says what was reviewed of a change, and what it sets aside itself.
func ChangeSentence(r runfile.Report) string {
	c, added, removed := r.Change, 0, 0
	for _, f := range c.Files {
		added, removed = added+f.Added, removed+f.Removed
	}
	text := fmt.Sprintf("%s changed since %s, +%s -%s lines", plural(len(c.Files), "file", "files"), BaseName(c), count(added),
		count(removed))
	if n := len(c.Touched); n > 0 {
		text += fmt.Sprintf("; %s read because of them", plural(n, "unchanged file", "unchanged files"))
	}
	if n := len(c.Hidden); n > 0 {
		text += fmt.Sprintf("; %s changed and not reviewed", plural(n, "skipped file", "skipped files"))
	}
	if c.Before == nil && len(c.Files) > 0 {
		text += "; the base was not reviewed: only the changed lines tell what is new"
	}
	if aside := AsideSentence(r); aside != "" {
		text += "; " + aside
	}
	return text
}

// BaseName is what the user called the base of a change, and its commit.
func BaseName(c *runfile.Change) string {
	name, commit := termtext.Inline(clip(c.Since, maxName)), termtext.Inline(c.Base[:min(len(c.Base), 9)])
	switch {
	case commit == "":
		return orUnknown(name)
	case name == "" || strings.HasPrefix(c.Base, name):
		return commit
	}
	return name + " (" + commit + ")"
}

// change writes what was reviewed of a change, and what it fixed.
func (s Style) change(b *strings.Builder, r runfile.Report) {
	if r.Change == nil {
		return
	}
	fixed := r.Fixed
	if !s.All {
		fixed = fixed[:min(len(fixed), s.Limit)]
	}
	widest := 0
	for _, f := range fixed {
		widest = max(widest, utf8.RuneCountInString(target(f)))
	}
	if len(fixed) > 0 {
		fmt.Fprintf(b, "fixed\n")
	}
	for _, f := range fixed {
		s.finding(b, f, widest, "")
	}
	if n := len(r.Fixed) - len(fixed); n > 0 {
		fmt.Fprintf(b, "  and %s more (--all lists them)\n", count(n))
	}
	fmt.Fprintf(b, "%-9s %s\n", "change", ChangeSentence(r))
}

// change writes the part of report.md on the change.
func (m *markdownWriter) change() {
	c := m.r.Change
	if c == nil {
		return
	}
	m.line("## The change\n\n%s.\n", escaped(ChangeSentence(m.r)))
	if len(m.r.Fixed) > 0 {
		m.line("It fixed:\n")
		for _, f := range m.r.Fixed[:min(len(m.r.Fixed), maxListedFiles)] {
			m.line("- %s %s: %s", f.Severity, codeSpan(place(f)), escaped(f.Title))
		}
		m.more("- and %s more", len(m.r.Fixed)-maxListedFiles)
		m.line("")
	}
	m.line("<details><summary>Files</summary>\n")
	for _, f := range c.Files[:min(len(c.Files), maxListedFiles)] {
		was := ""
		if f.Was != "" {
			was = " (was " + codeSpan(f.Was) + ")"
		}
		m.line("- %s: %s%s, +%s -%s", escaped(f.Kind), codeSpan(f.Path), was, count(f.Added), count(f.Removed))
	}
	m.more("- and %s more", len(c.Files)-maxListedFiles)
	for _, t := range c.Touched[:min(len(c.Touched), maxListedFiles)] {
		m.line("- read besides: %s, %s", codeSpan(t.Path), escaped(t.Why))
	}
	for _, p := range c.Hidden[:min(len(c.Hidden), maxListedFiles)] {
		m.line("- changed and not reviewed: %s", codeSpan(p))
	}
	m.line("\n</details>\n")
}

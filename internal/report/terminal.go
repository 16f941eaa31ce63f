package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Style says how Text may write.
type Style struct {
	// Color allows ANSI colours. Defaults to none.
	Color bool
	// Width is the number of columns: titles are cut to it, paths are not. Defaults to no limit.
	Width int
	// Limit is how many of the first findings are listed. Defaults to all of them, at most ten.
	Limit int
	// All has the other findings listed, too, by cause.
	All bool
	// Quiet leaves out what is no finding.
	Quiet bool
}

// Text writes a summary for the terminal: the headline, what to do first and why, coverage and cost.
func Text(w io.Writer, r runfile.Report, s Style) error {
	if s.Limit <= 0 {
		s.Limit = maxTop
	}
	r = normal(r)
	var b strings.Builder
	if s.Quiet {
		s.findings(&b, r)
		return s.write(w, b.String())
	}
	fmt.Fprintf(&b, "%s\n", s.bold(headline(r)))
	row := func(name, text string) { fmt.Fprintf(&b, "%-9s %s\n", name, text) }
	if r.Run.Status != trace.StatusCompleted {
		row("status", StatusSentence(r.Run))
	}
	for _, short := range r.Run.Shortfalls {
		row("missing", short.Text)
	}
	s.findings(&b, r)
	s.change(&b, r)
	if len(r.Findings) == 0 {
		if hint := strings.TrimSpace(noneMeans(r)); hint != "" {
			row("note", hint)
		}
	}
	row("coverage", strings.TrimSuffix(coverageSentence(r), "."))
	if n := len(r.Coverage.Skipped); n > 0 {
		row("skipped", plural(n, "path", "paths")+" (binary, vendored, generated, too large ...): the reports list them with the reason")
	}
	row("reader", readerSentence(r))
	row("cost", fmt.Sprintf("%s (root %s, worker %s), %s, %s, %s%s", costRange(r.Usage), Dollars(r.Usage.Root.CostUSD),
		Dollars(r.Usage.Worker.CostUSD),
		duration(r.Run.DurationS), plural(r.Turns, "turn", "turns"), plural(r.Dispatches, "dispatch", "dispatches"), fromCache(r)))
	if r.Verification != nil {
		row("verified", strings.TrimSuffix(secondLook(r.Verification), "."))
		if n := r.Verification.Claims.Contradicted; n > 0 {
			row("analysis", plural(n, "claim", "claims")+" of its text that the code contradicts: see the report")
		}
	}
	var aside []string
	if n := len(r.Refuted); n > 0 {
		aside = append(aside, count(n)+" refuted")
	}
	if n := len(r.Dismissed); n > 0 {
		aside = append(aside, count(n)+" dismissed")
	}
	if n := len(r.Ungrounded); n > 0 {
		aside = append(aside, count(n)+" not confirmed")
	}
	aside = append(aside, asideWords(r.Suppressed)...)
	if r.Known != nil {
		aside = append(aside, count(*r.Known)+" known from the baseline")
	}
	if len(aside) > 0 {
		row("left out", strings.Join(aside, ", "))
	}
	return s.write(w, b.String())
}

func (s Style) write(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

// findings lists what to do first, two lines each: what it is, and why it is there, with the ID that show takes. Then come the
// others, or how many they are.
func (s Style) findings(b *strings.Builder, r runfile.Report) {
	top := FirstOf(r)
	top = top[:min(len(top), s.Limit)]
	var groups []cause
	if s.All {
		groups = causes(r.Findings, top)
	}
	shown := make([]int, 0, len(top))
	for _, t := range top {
		shown = append(shown, t.At)
	}
	first := len(shown)
	for _, g := range groups {
		shown = append(shown, g.findings...)
	}
	widest := 0
	for _, i := range shown {
		widest = max(widest, utf8.RuneCountInString(target(r.Findings[i])))
	}
	if s.Width > 0 {
		widest = min(widest, s.Width/2)
	}
	ids := ShortIDs(r.Findings)
	for n, i := range shown[:first] {
		s.finding(b, r.Findings[i], widest, "")
		why := termtext.Inline(top[n].Why)
		if same := len(top[n].Same); same > 0 {
			why += fmt.Sprintf("; the same rule found %s more", count(same))
		}
		if places := len(r.Findings[i].Places); places > 1 {
			why += fmt.Sprintf("; %s places", count(places))
		}
		if t := Decided(r.Findings[i].Triage); t != "" {
			why += "; triage: " + termtext.Inline(t)
		}
		if ids[i] != "" {
			why = ids[i] + "  " + why
		}
		fmt.Fprintf(b, "            %s\n", s.faint(s.fit(why, 12)))
	}
	for _, g := range groups {
		fmt.Fprintf(b, "%s\n", s.fit(fmt.Sprintf("%s (%s)", termtext.Inline(g.name), count(len(g.findings))), 0))
		for _, i := range g.findings {
			s.finding(b, r.Findings[i], widest, ids[i])
		}
	}
	if n := len(r.Findings) - len(shown); n > 0 {
		fmt.Fprintf(b, "  and %s more (--all lists them)\n", count(n))
	}
}

// finding writes severity, place, title and, where it is given, the ID. A place is never cut: terminals open it.
func (s Style) finding(b *strings.Builder, f finding.Finding, widest int, id string) {
	if id != "" {
		id = "  " + id
	}
	where := target(f)
	n := utf8.RuneCountInString(where)
	gap, used := strings.Repeat(" ", max(0, widest-n)+2), 14+widest
	if n > widest && s.Width > 0 {
		gap, used = "\n            ", 12
	}
	fmt.Fprintf(b, "  %s  %s%s%s%s\n", s.severity(f.Severity), where, gap, s.fit(termtext.Inline(f.Title), used+len(id)), s.faint(id))
}

// fit cuts a text to what is left of the width behind so many columns.
func (s Style) fit(text string, used int) string {
	if s.Width <= 0 {
		return text
	}
	return termtext.Left(text, max(10, s.Width-used))
}

// target is the place of a finding as terminals and editors open it: "file:12".
func target(f finding.Finding) string {
	f.EndLine = f.Line
	return termtext.Inline(place(f))
}

// ShortIDs are the shortest prefixes of the findings' IDs that tell them apart, of at least six characters. An ID that is not
// of letters and digits, or not the only one, has none.
func ShortIDs(fs []finding.Finding) []string {
	sorted := make([]string, 0, len(fs))
	for _, f := range fs {
		sorted = append(sorted, f.ID)
	}
	slices.Sort(sorted)
	short := make([]string, len(fs))
	for i, f := range fs {
		if strings.ContainsFunc(f.ID, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
			continue
		}
		at, _ := slices.BinarySearch(sorted, f.ID)
		if at+1 < len(sorted) && sorted[at+1] == f.ID {
			continue
		}
		n := min(6, len(f.ID))
		for n < len(f.ID) && (at > 0 && strings.HasPrefix(sorted[at-1], f.ID[:n]) ||
			at+1 < len(sorted) && strings.HasPrefix(sorted[at+1], f.ID[:n])) {
			n++
		}
		short[i] = f.ID[:n]
	}
	return short
}

// fromCache says how many dispatches were answered from the cache: without it a second run looks wrongly cheap.
func fromCache(r runfile.Report) string {
	n := r.Dispatches - r.Errors.Dispatch - r.Usage.Worker.Calls
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%s from the cache)", count(n))
}

func (s Style) faint(t string) string {
	if !s.Color || t == "" {
		return t
	}
	return "\x1b[2m" + t + "\x1b[0m"
}

func (s Style) bold(t string) string {
	if !s.Color {
		return t
	}
	return "\x1b[1m" + t + "\x1b[0m"
}

// severity is the word in its colour, padded to the longest one. A word outside the vocabulary has no colour.
func (s Style) severity(word string) string {
	padded := fmt.Sprintf("%-8s", termtext.Left(termtext.Inline(word), 8))
	color := [...]string{"", "36", "34", "33", "31", "1;31"}[taxonomy.Rank(word)]
	if !s.Color || color == "" {
		return padded
	}
	return "\x1b[" + color + "m" + padded + "\x1b[0m"
}

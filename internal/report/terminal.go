package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Style says how Text may write.
type Style struct {
	// Color allows ANSI colours. Defaults to none.
	Color bool
	// Width is the number of columns. Defaults to 100.
	Width int
	// Limit is how many findings are listed. Defaults to 20.
	Limit int
}

// Text writes a summary for the terminal: the headline, the worst findings one a line, coverage and cost.
func Text(w io.Writer, r runfile.Report, s Style) error {
	if s.Width <= 0 {
		s.Width = 100
	}
	if s.Limit <= 0 {
		s.Limit = 20
	}
	r = normal(r)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.bold(headline(r)))
	row := func(name, text string) { fmt.Fprintf(&b, "%-9s %s\n", name, text) }
	if r.Run.Status != trace.StatusCompleted {
		row("status", StatusSentence(r.Run))
	}
	for _, short := range r.Run.Shortfalls {
		row("missing", short.Text)
	}
	shown := r.Findings[:min(s.Limit, len(r.Findings))]
	widest := 0
	for _, f := range shown {
		widest = max(widest, utf8.RuneCountInString(termtext.Inline(place(f))))
	}
	widest = min(widest, max(12, s.Width*2/5))
	for _, f := range shown {
		where := termtext.Right(termtext.Inline(place(f)), widest)
		title := termtext.Left(termtext.Inline(f.Title), max(10, s.Width-2-9-2-widest-2))
		fmt.Fprintf(&b, "  %s  %s%s  %s\n", s.severity(f.Severity), where, strings.Repeat(" ", widest-utf8.RuneCountInString(where)), title)
	}
	if n := len(r.Findings) - len(shown); n > 0 {
		fmt.Fprintf(&b, "  and %s more\n", count(n))
	}
	if len(r.Findings) == 0 {
		if hint := strings.TrimSpace(noneMeans(r)); hint != "" {
			row("note", hint)
		}
	}
	row("coverage", strings.TrimSuffix(coverageSentence(r.Coverage), "."))
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
	if n := len(r.Ungrounded); n > 0 {
		aside = append(aside, count(n)+" not confirmed")
	}
	if n := len(r.Suppressed); n > 0 {
		aside = append(aside, count(n)+" suppressed")
	}
	if r.Known != nil {
		aside = append(aside, count(*r.Known)+" known from the baseline")
	}
	if len(aside) > 0 {
		row("left out", strings.Join(aside, ", "))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

// fromCache says how many dispatches were answered from the cache: without it a second run looks wrongly cheap.
func fromCache(r runfile.Report) string {
	n := r.Dispatches - r.Errors.Dispatch - r.Usage.Worker.Calls
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%s from the cache)", count(n))
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

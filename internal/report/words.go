package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// StatusSentence says in one sentence how the run ended.
func StatusSentence(run runfile.ReportRun) string {
	why := termtext.Inline(string(run.StopReason))
	switch run.Status {
	case trace.StatusCompleted:
		return "The review ran to its end."
	case trace.StatusFailed:
		return fmt.Sprintf("The review failed (%s); what follows is what was saved.", orUnknown(why))
	}
	if run.StopReason == trace.StopAnswer {
		return "The review is partial: something that was asked for is missing, and parts of the codebase may not have been judged."
	}
	return fmt.Sprintf("The review is partial: it stopped early (%s), and parts of the codebase may not have been judged.", orUnknown(why))
}

// Shortfalls fills in what each shortfall says to people, in the order of the codes; unknown codes, which a file may hold,
// keep their place at the end and have no text of their own.
func Shortfalls(all []trace.Shortfall) []trace.Shortfall {
	out := make([]trace.Shortfall, 0, len(all))
	for _, s := range all[:min(len(all), maxShortfalls)] {
		s.Code, s.Count, s.Lines = trace.ShortfallCode(clip(string(s.Code), 40)), max(0, s.Count), max(0, s.Lines)
		s.Text = shortfallText(s)
		out = append(out, s)
	}
	order := trace.ShortfallCodes()
	slices.SortStableFunc(out, func(a, b trace.Shortfall) int {
		return cmp.Compare(uint(slices.Index(order, a.Code)), uint(slices.Index(order, b.Code)))
	})
	return out
}

// maxShortfalls bounds a list that a file may hold.
const maxShortfalls = 40

func shortfallText(s trace.Shortfall) string {
	lines := ""
	if s.Lines > 0 {
		lines = fmt.Sprintf(" (%s)", plural(s.Lines, "line", "lines"))
	}
	calls := plural(s.Count, "call", "calls")
	replies := plural(s.Count, "reply", "replies")
	switch s.Code {
	case trace.ShortRoot:
		return "The root model failed, so the review ended there" + lines + "."
	case trace.ShortNoDispatch:
		return "The root handed in its report without asking a worker anything" + lines + "."
	case trace.ShortBudget:
		return "The budget did not cover " + calls + lines + "."
	case trace.ShortFailed:
		return calls + " to a model failed" + lines + "."
	case trace.ShortRefused:
		return replies + " declined to answer" + lines + "."
	case trace.ShortCut:
		return replies + " ended in the middle" + lines + "."
	case trace.ShortUnreadable:
		return replies + " could not be read as findings" + lines + "."
	case trace.ShortTurns:
		return "The root used up its " + plural(s.Count, "turn", "turns") + " without handing in a report."
	case trace.ShortStopped:
		return "The review was interrupted" + lines + "."
	case trace.ShortCoverage:
		return "Fewer lines were reviewed than --coverage asks for: " + plural(s.Count, "file is", "files are") + " not covered" + lines + "."
	case trace.ShortSkipped:
		return plural(s.Count, "file of source code was skipped", "files of source code were skipped") + lines + "."
	case trace.ShortNoRules:
		return "There are no static rules for the language of " + plural(s.Count, "file", "files") + lines + "."
	case trace.ShortUnparsed:
		return "The parser gave up on " + plural(s.Count, "file", "files") + ", which no rule has judged" + lines + "."
	}
	return "Something is missing: " + termtext.Inline(string(s.Code)) + lines + "."
}

// readerSentence says who did the reading.
func readerSentence(r runfile.Report) string {
	if r.Coverage.LinesAnswered == 0 && r.Coverage.LinesDispatched == 0 {
		return "Nobody read this code."
	}
	switch r.Run.Worker {
	case rules.Name:
		return "Static rules, not a language model, read this code."
	case "":
		return "No worker read this code."
	}
	return "The code was read by " + termtext.Inline(r.Run.Worker) + "."
}

// Reader says in a few words who read the code, and how much of it: "static rules, 23% of lines have rules".
func Reader(run runfile.ReportRun, c runfile.ReportCoverage) string {
	switch {
	case c.LinesAnswered == 0 && c.LinesDispatched == 0:
		return "nobody read this code"
	case run.Worker == rules.Name:
		return "static rules, " + Percent(c.Fraction) + " of lines have rules"
	}
	return termtext.Inline(cmp.Or(run.Worker, "an unknown model")) + ", " + Percent(c.Fraction) + " of lines reviewed"
}

// Headline says in a few words what a review found. One that failed, or that leaves out what a baseline knows, never says that
// there are no findings: it does not know.
// found counts the findings by severity; known those that a baseline has, nil without one.
func Headline(status trace.Status, found map[string]int, all int, known *int, suppressed int) string {
	told := plural(all, "finding", "findings")
	if known != nil {
		told = plural(all, "new finding", "new findings")
	}
	var words []string
	for _, s := range taxonomy.Severities() {
		if found[s] > 0 {
			words = append(words, fmt.Sprintf("%d %s", found[s], s))
		}
	}
	if len(words) > 0 {
		told += ": " + strings.Join(words, ", ")
	}
	switch {
	case status == trace.StatusFailed && all == 0:
		return "failed before anything was found"
	case status == trace.StatusFailed:
		return "failed; " + told + ", as far as it came"
	case known != nil && all == 0:
		return "nothing new; " + plural(*known, "finding", "findings") + " known from the baseline"
	case known != nil:
		return told + "; " + count(*known) + " known from the baseline"
	case all == 0 && suppressed > 0:
		return "nothing to report; " + plural(suppressed, "finding", "findings") + " suppressed"
	case all == 0 && status != trace.StatusCompleted:
		return "nothing found in what was reviewed so far"
	}
	return told
}

func orUnknown(s string) string { return cmp.Or(s, "no reason given") }

// tally counts findings by severity.
func tally(fs []finding.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range fs {
		n[f.Severity]++
	}
	return n
}

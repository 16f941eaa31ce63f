package report

import (
	"cmp"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// statusSentence says in one sentence how the run ended.
func statusSentence(r runfile.Report) string {
	why := termtext.Inline(string(r.Run.StopReason))
	switch r.Run.Status {
	case trace.StatusCompleted:
		return "The review ran to its end."
	case trace.StatusFailed:
		return fmt.Sprintf("The review failed (%s); what follows is what was saved.", orUnknown(why))
	}
	return fmt.Sprintf("The review is partial: it stopped early (%s), and parts of the codebase may not have been judged.", orUnknown(why))
}

// readerSentence says who did the reading.
func readerSentence(r runfile.Report) string {
	if r.Coverage.LinesDispatched == 0 {
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

func orUnknown(s string) string { return cmp.Or(s, "no reason given") }

// tally counts findings by severity.
func tally(fs []finding.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range fs {
		n[f.Severity]++
	}
	return n
}

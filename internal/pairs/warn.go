package pairs

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Bars from which something is worth a warning.
const (
	mostSyntaxOnly = 0.10 // of rejected programs
	mostPerTask    = 4
	leastCoverage  = 0.5
	// A shortcut is reported when even the lower end of its interval is above this accuracy, which is chance.
	mostShortcut = 0.50
	mostOutside  = 0.10 // of pairs with one side over twice as long
)

// warn says in words, with the numbers, what is wrong with the pairs, the worst first.
func warn(r *runfile.PairAudit) {
	r.Warnings = []string{}
	add := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	share := func(n int) string {
		return fmt.Sprintf("%d of %s (%s)", n, termtext.Plural(r.Pairs, "pair"), percent(n, r.Pairs))
	}
	if l := r.Labels; l != nil {
		if wrong := len(l.Wrong); wrong > 0 {
			add("%s wrong: %d of the chosen programs fail their tests and %d of the rejected ones pass them", termtext.Plural(wrong, "label"),
				l.Checked-l.ChosenPass, l.Checked-l.RejectedFail)
		}
		if l.ChosenFailChallenge > 0 {
			add("%s have a chosen program that passes the ordinary tests and fails the dataset's challenge tests", share(l.ChosenFailChallenge))
		}
		if l.Unknown > 0 {
			add("%s belong to no task of the dataset and were not run", share(l.Unknown))
		}
		if l.Infra > 0 {
			add("%s have no verdict because the sandbox failed; run the audit again", share(l.Infra))
		}
	}
	if r.EvalSplitLeak != nil && *r.EvalSplitLeak > 0 {
		add("%s are from the dataset's test split (a set without splits is one): a model trained on them cannot be measured on it",
			share(*r.EvalSplitLeak))
	}
	for _, o := range r.Overlaps {
		if o.Thirteen > 0 {
			add("%s share 13 or more words in a row with other tasks of %s (%d share 10)", share(o.Thirteen), o.Set, o.Ten)
		}
	}
	if r.ExactDuplicates > 0 {
		add("%s are exact duplicates of earlier ones", share(r.ExactDuplicates))
	}
	if n := r.NearDuplicates; n.WithinTasks+n.AcrossTasks > 0 {
		more := ""
		if r.ExactDuplicates > 0 {
			more = "another "
		}
		add("%s%s are near-duplicates: %d of a pair of the same task, %d of another task's", more, share(n.WithinTasks+n.AcrossTasks),
			n.WithinTasks, n.AcrossTasks)
	}
	if broken := r.RejectedVerdicts[string(sandbox.SyntaxError)]; float64(broken) > mostSyntaxOnly*float64(r.Pairs) {
		add("%d of the rejected programs (%s) do not even parse: they teach syntax, not what is right (at most 10 %% is good practice)",
			broken, percent(broken, r.Pairs))
	}
	if r.FormatOnly != nil && *r.FormatOnly > 0 {
		add("%d of the rejected texts (%s) fail only because of fences or prose around code that passes", *r.FormatOnly,
			percent(*r.FormatOnly, r.Pairs))
	}
	if f := r.Fenced; f.Chosen != f.Rejected && (f.Chosen == 0 || f.Rejected == 0 || outside(f.Chosen, f.Rejected)) {
		add("Markdown fences give the label away: %d of the rejected texts have one, %d of the chosen", f.Rejected, f.Chosen)
	}
	if l := r.Length; l.CI.OK() && l.CI.Lo > 0.5 {
		add("length gives the label away: %q is right for %.1f %% of pairs (95 %% interval %s); mean length %.0f characters chosen, %.0f "+
			"rejected",
			"the "+l.Chosen+" is chosen", 100*l.Accuracy, interval(l.CI), r.MeanChars.Chosen, r.MeanChars.Rejected)
	}
	if r.Length.OutsideWindow > 0 && float64(r.Length.OutsideWindow) > mostOutside*float64(r.Pairs) {
		add("%s have one side over twice as long as the other", share(r.Length.OutsideWindow))
	}
	if s := r.Shortcut; s.Accuracy != nil && s.CI.OK() && s.CI.Lo > mostShortcut {
		add("a classifier that never reads the programs picks the chosen side in %.1f %% of pairs of tasks it has not seen (95 %% interval "+
			"%s): %s",
			100**s.Accuracy, interval(s.CI), tells(s))
	}
	if r.Similarity.Same > 0 {
		add("%s differ in layout alone", share(r.Similarity.Same))
	}
	if d := r.Dataset; d != nil && float64(d.Covered) < leastCoverage*float64(d.Usable) {
		add("only %d of the dataset's %d tasks are covered", d.Covered, d.Tasks)
	}
	if r.MaxPerTask > mostPerTask {
		at := fmt.Sprintf("up to %d a task", r.MaxPerTask)
		if r.PerTask.Min == r.PerTask.Max {
			at = fmt.Sprintf("exactly %d a task, which looks like a cap", r.MaxPerTask)
		}
		add("the %s are about %s only: %s", termtext.Plural(r.Pairs, "pair"), termtext.Plural(r.Tasks, "task"), at)
	}
	if n := r.NamelessPrompts; n != nil && *n > 0 {
		add("%d of the prompts (%s) do not name the function that the tests call: a model cannot know it, and learns names by heart", *n,
			percent(*n, r.Pairs))
	}
}

// outside reports two counts of which one is over twice the other.
func outside(a, b int) bool { return max(a, b) > 2*min(a, b) }

// tells names the features that tell most.
func tells(s *runfile.PairShortcut) string {
	text := "most telling are"
	for i, f := range s.Features[:min(3, len(s.Features))] {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s (%s: %.1f %%)", f.Name, f.Chosen, 100*f.Accuracy)
	}
	return text
}

func interval(v stats.Interval) string {
	if !v.OK() {
		return v.String()
	}
	return fmt.Sprintf("%.1f to %.1f", 100*v.Lo, 100*v.Hi)
}

func percent(n, of int) string {
	if of == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

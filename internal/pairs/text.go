package pairs

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// WriteAudit prints a report for people. What stands in it from the file has gone through show.
func WriteAudit(r *runfile.PairAudit, w io.Writer, show func(string) string) error {
	fmt.Fprintf(w, "%s: %d pairs, %d tasks\n\n", show(r.File), r.Pairs, r.Tasks)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("pairs a task", "%d to %d, median %d", r.PerTask.Min, r.PerTask.Max, r.PerTask.Median)
	if d := r.Dataset; d != nil {
		row("dataset", "%s, %d of %d tasks covered", d.Name, d.Covered, d.Tasks)
	}
	if l := r.Labels; l != nil {
		row("labels", "chosen pass %d of %d, rejected fail %d of %d (%d programs run)", l.ChosenPass, l.Checked, l.RejectedFail, l.Checked,
			r.Executed)
		row("rejected", "%s", counts(verdictOrder(), r.RejectedVerdicts))
		row("errors", "%s", show(counts(largest(r.RejectedErrors), r.RejectedErrors)))
	} else {
		row("labels", "not checked")
	}
	if r.FormatOnly != nil {
		row("rejected for format", "%d texts pass once taken out of fences and prose", *r.FormatOnly)
	}
	row("duplicates", "%d exact; %d nearly one of the same task, %d of another task", r.ExactDuplicates, r.NearDuplicates.WithinTasks,
		r.NearDuplicates.AcrossTasks)
	row("fences", "%d chosen, %d rejected", r.Fenced.Chosen, r.Fenced.Rejected)
	row("mean characters", "%.1f chosen, %.1f rejected", r.MeanChars.Chosen, r.MeanChars.Rejected)
	row("length", "the chosen one is shorter in %d pairs, longer in %d", r.Length.ChosenShorter, r.Length.ChosenLonger)
	row("shortcut by length", "%.1f %% right by \"the %s is chosen\", interval %s", 100*r.Length.Accuracy, r.Length.Chosen,
		interval(r.Length.CI))
	if a := r.Shortcut.Accuracy; a != nil {
		row("shortcut by surface", "%.1f %% right on tasks not seen, interval %s", 100**a, interval(r.Shortcut.CI))
	}
	for _, f := range r.Shortcut.Features[:min(5, len(r.Shortcut.Features))] {
		row("  "+f.Name, "%.1f %% right by \"the chosen one has %s\"", 100*f.Accuracy, f.Chosen)
	}
	row("edit similarity", "mean %.2f; by tenths %s", r.Similarity.Mean, strings.Trim(fmt.Sprint(r.Similarity.Histogram), "[]"))
	if r.EvalSplitLeak != nil {
		row("from the test split", "%d pairs", *r.EvalSplitLeak)
	}
	for _, o := range r.Overlaps {
		row("shared words", "%s: %d pairs share 13 in a row with other tasks, %d share 10", show(o.Set), o.Thirteen, o.Ten)
	}
	if r.NamelessPrompts != nil {
		row("prompts without name", "%d do not name the function that the tests call", *r.NamelessPrompts)
	}
	t.Flush()
	if l := r.Labels; l != nil && len(l.Wrong) > 0 {
		fmt.Fprintf(w, "\n%d wrong labels:\n", len(l.Wrong))
		for _, one := range l.Wrong {
			fmt.Fprintf(w, "  line %d, %s: the %s program: %s", one.Line, show(one.TaskID), one.Side, one.Verdict)
			if one.Error != "" {
				fmt.Fprintf(w, " (%s)", show(one.Error))
			}
			fmt.Fprintln(w)
		}
	}
	if len(r.Warnings) == 0 {
		_, err := fmt.Fprintln(w, "\nno warnings")
		return err
	}
	fmt.Fprintf(w, "\n%d warnings:\n", len(r.Warnings))
	for _, one := range r.Warnings {
		fmt.Fprintf(w, "  - %s\n", show(one))
	}
	return nil
}

func verdictOrder() []string {
	var names []string
	for _, v := range sandbox.Verdicts() {
		names = append(names, string(v))
	}
	return names
}

// largest are the names with the largest counts, at most ten.
func largest(n map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	return names[:min(10, len(names))]
}

func counts(names []string, n map[string]int) string {
	var parts []string
	for _, name := range names {
		if n[name] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n[name]))
		}
	}
	return strings.Join(parts, ", ")
}

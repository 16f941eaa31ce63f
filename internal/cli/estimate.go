package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/review"
)

// printEstimate is what --dry-run shows.
func printEstimate(w io.Writer, e review.Estimate) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("path", "%s", e.Path)
	if e.Commit != "" {
		row("commit", "%s", e.Commit)
	}
	row("files", "%d (%d skipped)", e.Files, len(e.Skipped))
	row("lines", "%d", e.Lines)
	row("characters", "%d", e.Chars)
	row("strategy", "%s", e.Strategy)
	if e.RootTokens > 0 {
		row("root", "%s, about %d input tokens", e.Root, e.RootTokens)
	} else {
		row("root", "%s, a script", e.Root)
	}
	if e.Dispatches > 0 {
		row("worker", "%s, about %d dispatches, %d input tokens", e.Worker, e.Dispatches, e.WorkerTokens)
	}
	if e.CostUSD == nil {
		row("cost", "? (a price is not known; set it in deeprepo.toml)")
	} else {
		row("cost", "about $%.4f for one pass", *e.CostUSD)
	}
	if e.BudgetUSD != nil {
		row("budget", "$%.4f, never exceeded", *e.BudgetUSD)
	}
	t.Flush()
	fmt.Fprintln(w, "\nlines by language:")
	for _, name := range sortedByValue(e.Languages) {
		fmt.Fprintf(w, "  %8d  %s\n", e.Languages[name], name)
	}
	fmt.Fprintln(w, "\nlargest files:")
	for _, f := range e.Largest {
		fmt.Fprintf(w, "  %8d  %s\n", f.Chars, f.Path)
	}
	if len(e.Skipped) > 0 {
		fmt.Fprintln(w, "\nskipped, by reason:")
		why := map[string]int{}
		for _, s := range e.Skipped {
			why[s.Why]++
		}
		for _, reason := range sortedByValue(why) {
			fmt.Fprintf(w, "  %8d  %s\n", why[reason], reason)
		}
	}
	fmt.Fprintln(w, "\nnothing was sent and nothing was spent")
}

// sortedByValue are the keys of m, those of the greatest values first.
func sortedByValue(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
}

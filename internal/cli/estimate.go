package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/review/list"
)

// printEstimate is what --dry-run shows.
func printEstimate(w io.Writer, e review.Estimate) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("path", "%s", e.Path)
	if e.Commit != "" {
		row("commit", "%s", e.Commit)
	}
	if e.Since != "" {
		row("change", "since %s: what changed and what that touches, before and after", e.Since)
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
	switch {
	case e.Strategy == review.StrategySingle && e.Since != "":
		row("calls", "2, one for each side, and no dispatch")
	case e.Strategy == review.StrategySingle:
		row("calls", "1, and no dispatch")
	case e.Exact:
		row("worker", "%s, %s, about %d input tokens", e.Worker, dispatches(e.Dispatches), e.WorkerTokens)
	default:
		row("worker", "%s; the root decides how often: one pass is about %s, %d input tokens", e.Worker, dispatches(e.Dispatches),
			e.WorkerTokens)
	}
	if e.Verifies {
		row("verify", "a call more for each finding that is looked at again, not in these figures")
	}
	switch {
	case e.CostUSD == nil:
		row("cost", "? (a price is not known; set it in deeprepo.toml)")
	case *e.CostUSD == 0:
		row("cost", "nothing")
	case e.MostUSD != nil && *e.MostUSD > *e.CostUSD:
		row("cost", "about $%.4f for one pass, to $%.4f where the root uses all its turns and reads everything twice", *e.CostUSD, *e.MostUSD)
	default:
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
	printMasked(w, e.Masked)
	fmt.Fprintln(w, "\nnothing was sent and nothing was spent")
}

// estimateList prints what the reviews of a list would do.
func (a *app) estimateList(ctx context.Context, o list.Options, e list.Env, p *progress) error {
	all, err := list.DryRun(ctx, o, e)
	p.close()
	if err != nil {
		return err
	}
	if err := a.print(all, func(w io.Writer) error { return list.WriteEstimate(w, all) }); err != nil {
		return err
	}
	if all.Failed > 0 {
		return exitError{exitOutside, fmt.Errorf("of %d repositories %d could not be looked at", len(all.Repositories), all.Failed)}
	}
	return nil
}

func dispatches(n int) string {
	if n == 1 {
		return "1 dispatch"
	}
	return fmt.Sprintf("%d dispatches", n)
}

// printMasked lists what would be masked, never a secret itself.
func printMasked(w io.Writer, all []review.Masked) {
	const shown = 5 // places of a kind
	switch {
	case all == nil:
		fmt.Fprintln(w, "\n--no-redact: secrets are not masked")
		return
	case len(all) == 0:
		fmt.Fprintln(w, "\nnothing looks like a secret")
		return
	}
	fmt.Fprintln(w, "\nlooks like a secret, and is masked in what leaves this machine:")
	for _, m := range all {
		var places []string
		for _, at := range m.Places[:min(shown, len(m.Places))] {
			places = append(places, fmt.Sprintf("%s:%d", at.Path, at.Line))
		}
		if len(m.Places) > shown {
			places = append(places, "...")
		}
		fmt.Fprintf(w, "  %8d  %s: %s\n", m.Count, m.Kind, strings.Join(places, ", "))
	}
}

// sortedByValue are the keys of m, those of the greatest values first.
func sortedByValue(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
}

package list

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// WriteText writes a summary for a terminal.
func WriteText(w io.Writer, s runfile.List) error {
	most := ""
	if len(s.First) > 0 {
		most = first(s.First).Text() + "\n"
	}
	_, err := fmt.Fprintf(w, "%s\n%s%s", table(s).Text(), most, totals(s))
	return err
}

// WriteMarkdown writes a summary as Markdown.
func WriteMarkdown(w io.Writer, s runfile.List) error {
	_, err := fmt.Fprintf(w, "# Reviews of %d repositories\n\n%s\n%s\n", len(s.Repositories), totals(s), table(s).Markdown())
	if err == nil && len(s.First) > 0 {
		_, err = fmt.Fprintf(w, "## The most severe findings\n\n%s\n", first(s.First).Markdown())
	}
	if err != nil {
		return err
	}
	for _, r := range s.Repositories {
		if r.Error == "" && len(r.Top) == 0 {
			continue
		}
		text := "## " + report.InlineMarkdown(r.Name) + "\n\n"
		if r.Error != "" {
			text += report.InlineMarkdown(r.Error) + "\n\n"
		}
		if len(r.Top) > 0 {
			text += "What to do first:\n\n" + first(r.Top).Markdown() + "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// table has a row for each repository.
func table(s runfile.List) *grid.Table {
	t := &grid.Table{Head: []string{"repository", "status", "findings"}, Left: 2}
	t.Head = append(append(t.Head, taxonomy.Severities()...), "coverage", "lines", "cost")
	for _, r := range s.Repositories {
		if r.Lines == 0 {
			row := append([]string{r.Name, string(r.Status)}, make([]string, len(t.Head)-2)...)
			row[len(row)-1] = report.Dollars(r.CostUSD)
			t.Add(row...)
			continue
		}
		row := []string{r.Name, string(r.Status), fmt.Sprint(r.Findings)}
		for _, severity := range taxonomy.Severities() {
			row = append(row, fmt.Sprint(r.Severities[severity]))
		}
		t.Add(append(row, report.Percent(r.Coverage), fmt.Sprint(r.Lines), report.Dollars(r.CostUSD))...)
	}
	return t
}

// first has a row for each finding to look at first.
func first(fs []runfile.ListFinding) *grid.Table {
	t := &grid.Table{Head: []string{"severity", "repository", "place", "finding"}, Left: 4}
	for _, f := range fs {
		t.Add(f.Severity, f.Repository, fmt.Sprintf("%s:%d", f.File, f.Line), f.Title)
	}
	return t
}

// totals are the figures over all, in a line.
func totals(s runfile.List) string {
	var counts []string
	for _, severity := range taxonomy.Severities() {
		if n := s.Severities[severity]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, severity))
		}
	}
	share := "no lines"
	if s.Lines > 0 {
		share = report.Percent(float64(s.Judged)/float64(s.Lines)) + " of " + fmt.Sprint(s.Lines) + " lines covered"
	}
	cost := report.Dollars(s.CostUSD)
	if s.CostUSD != nil && s.AtMostUSD != nil && *s.AtMostUSD > *s.CostUSD {
		cost += " to " + report.Dollars(s.AtMostUSD)
	}
	return fmt.Sprintf("%d of %d repositories reviewed; findings: %s; %s; cost %s\n", s.Done, len(s.Repositories),
		cmp.Or(strings.Join(counts, ", "), "none"), share, cost)
}

// WriteEstimate writes an estimate for a terminal.
func WriteEstimate(w io.Writer, all Estimate) error {
	t := &grid.Table{Left: 1, Head: []string{"repository", "files", "lines", "strategy", "dispatches", "root tokens", "worker tokens",
		"secrets", "cost"}}
	why := ""
	for _, r := range all.Repositories {
		if r.Estimate == nil {
			t.Add(append([]string{r.Name}, make([]string, len(t.Head)-1)...)...)
			why += fmt.Sprintf("%s: %s\n", r.Name, r.Error)
			continue
		}
		masked := "not looked for"
		if of := r.Estimate.Masked; of != nil {
			n := 0
			for _, m := range of {
				n += m.Count
			}
			masked = fmt.Sprint(n)
		}
		t.Add(r.Name, fmt.Sprint(r.Estimate.Files), fmt.Sprint(r.Estimate.Lines), r.Estimate.Strategy, fmt.Sprint(r.Estimate.Dispatches),
			fmt.Sprint(r.Estimate.RootTokens), fmt.Sprint(r.Estimate.WorkerTokens), masked, report.Dollars(r.Estimate.CostUSD))
	}
	sum := fmt.Sprintf("%d of %d repositories: %d lines, about %d dispatches, %d input tokens, %s for one pass",
		len(all.Repositories)-all.Failed, len(all.Repositories), all.Lines, all.Dispatches, all.RootTokens+all.WorkerTokens,
		report.Dollars(all.CostUSD))
	if all.CostUSD == nil {
		sum += " (a price is not known; set it in deeprepo.toml)"
	}
	if all.BudgetUSD != nil {
		sum += fmt.Sprintf("; budget %s, never exceeded", report.Dollars(all.BudgetUSD))
	}
	_, err := fmt.Fprintf(w, "%s\n%s%s\n\nnothing was sent to a model and nothing was spent\n", t.Text(), why, sum)
	return err
}

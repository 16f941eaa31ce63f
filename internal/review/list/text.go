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
	_, err := fmt.Fprintf(w, "%s\n%s\n%s", table(s).Text(), first(s).Text(), totals(s))
	return err
}

// WriteMarkdown writes a summary as Markdown.
func WriteMarkdown(w io.Writer, s runfile.List) error {
	_, err := fmt.Fprintf(w, "# Reviews of %d repositories\n\n%s\n%s\n", len(s.Repositories), totals(s), table(s).Markdown())
	if err == nil && len(s.First) > 0 {
		_, err = fmt.Fprintf(w, "## The most severe findings\n\n%s\n", first(s).Markdown())
	}
	if err != nil {
		return err
	}
	for _, r := range s.Repositories {
		if r.Error != "" {
			if _, err := fmt.Fprintf(w, "- %s: %s\n", report.InlineMarkdown(r.Name), report.InlineMarkdown(r.Error)); err != nil {
				return err
			}
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
			t.Add(append([]string{r.Name, string(r.Status)}, make([]string, len(t.Head)-2)...)...)
			continue
		}
		row := []string{r.Name, string(r.Status), fmt.Sprint(r.Findings)}
		for _, severity := range taxonomy.Severities() {
			row = append(row, fmt.Sprint(r.Severities[severity]))
		}
		t.Add(append(row, grid.Percent(r.Coverage), fmt.Sprint(r.Lines), dollars(r.CostUSD))...)
	}
	return t
}

// first has a row for each finding to look at first.
func first(s runfile.List) *grid.Table {
	t := &grid.Table{Head: []string{"severity", "repository", "place", "finding"}, Left: 4}
	for _, f := range s.First {
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
		share = grid.Percent(float64(s.Answered)/float64(s.Lines)) + " of " + fmt.Sprint(s.Lines) + " lines answered for"
	}
	return fmt.Sprintf("%d of %d repositories reviewed; findings: %s; %s; cost %s\n", s.Done, len(s.Repositories),
		cmp.Or(strings.Join(counts, ", "), "none"), share, dollars(s.CostUSD))
}

func dollars(usd *float64) string {
	if usd == nil {
		return "unknown"
	}
	return fmt.Sprintf("$%.4f", *usd)
}

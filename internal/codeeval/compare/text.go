package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// WriteText prints a report for a terminal: the table, the head-to-head blocks with complete lists, the trend.
func WriteText(w io.Writer, r runfile.CompareReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s verdicts\n\n", capital(r.Verdicts))
	b.WriteString(Table(r).Text())
	for _, row := range r.Conditions {
		for _, warning := range row.Warnings {
			fmt.Fprintf(&b, "  %s: %s\n", termtext.Inline(row.Name), termtext.Inline(warning))
		}
	}
	if r.Alarm != "" {
		fmt.Fprintf(&b, "\nWARNING: %s\n", r.Alarm)
	}
	for _, c := range r.Comparisons {
		fmt.Fprintf(&b, "\n%s vs %s\n", termtext.Inline(c.Other), termtext.Inline(c.Base))
		for _, line := range comparedLines(c) {
			fmt.Fprintf(&b, "  %s\n", termtext.Inline(line))
		}
	}
	for _, t := range allTrends(r) {
		fmt.Fprintf(&b, "\nTrend from %s on: %s\n", termtext.Inline(t.Base), termtext.Inline(t.Words))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", termtext.Inline(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown is the report as a part of a document, below headings of the given level.
func Markdown(r runfile.CompareReport, level int) string {
	var b strings.Builder
	head := strings.Repeat("#", level)
	b.WriteString(Table(r).Markdown())
	first := true
	for _, row := range r.Conditions {
		for _, warning := range row.Warnings {
			if first {
				b.WriteString("\n")
				first = false
			}
			fmt.Fprintf(&b, "- %s: %s\n", report.InlineMarkdown(row.Name), report.InlineMarkdown(warning))
		}
	}
	if r.Alarm != "" {
		fmt.Fprintf(&b, "\n**Warning:** %s\n", r.Alarm)
	}
	fmt.Fprintf(&b, "\n%s Head-to-head\n", head)
	for _, c := range r.Comparisons {
		fmt.Fprintf(&b, "\n%s# %s vs %s\n\n", head, report.InlineMarkdown(c.Other), report.InlineMarkdown(c.Base))
		for _, line := range comparedLines(c) {
			fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(line))
		}
	}
	for _, t := range allTrends(r) {
		fmt.Fprintf(&b, "\n%s Trend from %s on\n\n%s\n", head, report.InlineMarkdown(t.Base), report.InlineMarkdown(t.Words))
	}
	if len(r.Notes) > 0 {
		fmt.Fprintf(&b, "\n%s Notes\n\n", head)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(n))
	}
	return b.String()
}

// allTrends gives the report's trends.
func allTrends(r runfile.CompareReport) []runfile.CompareTrend {
	if r.Trend == nil {
		return nil
	}
	return append([]runfile.CompareTrend{*r.Trend}, r.FurtherTrends...)
}

// Table is the table of conditions in the reference's style, with what the differences are worth.
func Table(r runfile.CompareReport) grid.Table {
	t := grid.Table{Left: 1, Head: []string{"Condition", unitOf(r), "Passed", "pass@1", "95% interval", "vs base", "relative",
		"95% interval (paired)", "p", "p (Holm)", "detectable"}}
	at := map[string]runfile.Compared{}
	for _, c := range r.Comparisons {
		at[c.Other] = c
	}
	for _, row := range r.Conditions {
		size := ""
		if row.Size != nil {
			size = number(*row.Size)
		}
		cells := []string{row.Name, size, fmt.Sprintf("%d/%d", row.Passed, row.Judged), grid.Percent(row.PassAt1),
			grid.Span(row.CI95, 100, "%.1f")}
		if c, ok := at[row.Name]; ok && row.Base != "" {
			relative, detectable := "n/a", "n/a"
			if c.RelativePct != nil {
				relative = fmt.Sprintf("%+.1f%%", *c.RelativePct)
			}
			if c.MinimumDetectablePP != nil {
				detectable = fmt.Sprintf("%.1f pp", *c.MinimumDetectablePP)
			}
			cells = append(cells, fmt.Sprintf("%+.1f pp", c.DeltaPP), relative, grid.Span(c.CI95, 1, "%+.1f"), pText(c.P), pText(c.PHolm),
				detectable)
		} else {
			cells = append(cells, "base", "", "", "", "", "")
		}
		t.Add(cells...)
	}
	return t
}

// unitOf heads the column of sizes.
func unitOf(r runfile.CompareReport) string {
	if r.Trend != nil {
		return r.Trend.Unit
	}
	return "size"
}

// comparedLines is a head-to-head block.
func comparedLines(c runfile.Compared) []string {
	lines := []string{
		fmt.Sprintf("Improved %d, regressed %d, net %+d; both pass %d, both fail %d%s; %d tasks", len(c.Improved), len(c.Regressed), c.Net, c.BothPass, c.BothFail, partly(c), c.Tasks),
		"Improved: " + list(c.Improved),
		"Regressed: " + list(c.Regressed),
	}
	test := "exact McNemar"
	if c.Test == TestSignFlip {
		test = "sign-flip permutation"
	}
	method := "paired bootstrap"
	if c.CIMethod == methodSame {
		method = "no task differs"
	}
	s := fmt.Sprintf("%+.2f pp, 95%% interval %s pp (%s)", c.DeltaPP, grid.Span(c.CI95, 1, "%+.2f"), method)
	if c.WaldCI95 != nil {
		s += fmt.Sprintf(", %s pp (Bonett-Price)", grid.Span(c.WaldCI95, 1, "%+.2f"))
	}
	return append(lines, s+fmt.Sprintf("; %s p %s, %s after Holm", test, pText(c.P), pText(c.PHolm)), "So: "+c.Words)
}

func partly(c runfile.Compared) string {
	if c.Unchanged == 0 {
		return ""
	}
	return fmt.Sprintf(", unchanged in part %d", c.Unchanged)
}

func list(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

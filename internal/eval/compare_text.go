package eval

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// WriteComparison prints the before/after table, then the significance of the differences.
func WriteComparison(w io.Writer, c Comparison) error {
	rows := [][]string{{"Metric"}, {"Average Reward"}, {"95% interval"}, {"Reward Range"}, {"Average Turns"}, {"Zero-Delegation Rate"},
		{"Over-Exploration"}, {"Input Tokens"}, {"Output Tokens"}, {"Dollars"}, {"Errors"}}
	names := c.names()
	for i, e := range c.Evals {
		cells := []string{
			names[i],
			"?", e.Reward.Interval(), "?", "?",
			rateText(e.ZeroDelegation), rateText(e.OverExploration), "?", "?", costText(e.Cost), fmt.Sprintf("%d of %d rollouts", e.Errors, e.Rollouts),
		}
		if r := e.Reward; r.Mean != nil {
			cells[1] = fmt.Sprintf("%.3f (σ %.3f)", *r.Mean, *r.Std)
			cells[3] = fmt.Sprintf("%.3f — %.3f", *r.Min, *r.Max)
		}
		if t := e.Turns; t.Mean != nil {
			cells[4] = fmt.Sprintf("%.2f (%.0f-%.0f)", *t.Mean, *t.Min, *t.Max)
		}
		if t := e.Input; t.Mean != nil {
			cells[7] = fmt.Sprintf("%.0f", *t.Mean)
		}
		if t := e.Output; t.Mean != nil {
			cells[8] = fmt.Sprintf("%.0f", *t.Mean)
		}
		for k := range rows {
			rows[k] = append(rows[k], strings.ReplaceAll(cells[k], "|", "/"))
		}
	}
	var b strings.Builder
	writeTable(&b, rows)
	b.WriteString("\n")
	for i, t := range c.Tests {
		fmt.Fprintf(&b, "%s vs %s: %s\n", names[i+1], names[0], t.Words)
		fmt.Fprintf(&b, "  difference %+.3f, 95%% interval %s (t), %s (paired bootstrap), permutation p %.3g, t test p %.3g", t.Diff, t.CI,
			t.Bootstrap, t.P, t.PT)
		if t.MDE > 0 {
			fmt.Fprintf(&b, "; %d tasks detect differences from %.3f on, 80 times in 100", t.Tasks, t.MDE)
		}
		b.WriteString("\n")
	}
	if len(c.Metrics) > 0 {
		rows := [][]string{{"Ranking", "Tasks", "Before", "After", "Difference", "95% interval (paired bootstrap)"}}
		for _, m := range c.Metrics {
			name := termtext.MaskedLine(m.Name)
			if len(c.Evals) > 2 {
				name += " of " + termtext.MaskedLine(filepath.Base(m.Other))
			}
			rows = append(rows, []string{strings.ReplaceAll(name, "|", "/"), fmt.Sprint(m.Tasks), fmt.Sprintf("%.3f", m.Before),
				fmt.Sprintf("%.3f", m.After), fmt.Sprintf("%+.3f", m.After-m.Before), fmt.Sprint(m.Bootstrap)})
		}
		b.WriteString("\n")
		writeTable(&b, rows)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "Note: %s\n", termtext.MaskedLine(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// names call each eval by its model, and by its directory as well where that does not tell them apart.
func (c Comparison) names() []string {
	count := map[string]int{}
	for _, e := range c.Evals {
		count[e.Model]++
	}
	names := make([]string, len(c.Evals))
	for i, e := range c.Evals {
		names[i] = termtext.MaskedLine(e.Model)
		if count[e.Model] > 1 {
			names[i] += " (" + termtext.MaskedLine(filepath.Base(e.Dir)) + ")"
		}
	}
	return names
}

// rateText is "17% (1/6 rollouts)".
func rateText(p *runfile.EvalShare) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprintf("%.0f%% (%d/%d rollouts)", 100*p.Rate, p.Count, p.Of)
}

// writeTable writes Markdown whose columns line up.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
}

package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Publish compares the published table with the result of its own files.
func Publish(r Result) *runfile.Published {
	recorded := r.reports()[0]
	p := &runfile.Published{Errors: []string{}}
	for _, t := range table {
		row := runfile.PublishedRow{Number: t.number, Condition: t.condition, Size: t.size, PrintedPassed: t.passed, PrintedPassAt1: t.passAt1,
			PrintedDelta: t.delta, PrintedRelative: t.relative}
		i := slices.IndexFunc(recorded.Conditions, func(c runfile.Condition) bool { return c.Name == t.condition })
		if i < 0 {
			p.Rows = append(p.Rows, row)
			continue
		}
		c := recorded.Conditions[i]
		row.RecordedPassed, row.Base, row.Empty, row.Truncated = &c.Passed, c.Base, c.Empty, c.Truncated
		if k := slices.IndexFunc(recorded.Comparisons, func(x runfile.Compared) bool { return x.Other == t.condition }); k >= 0 {
			row.DeltaPP, row.RelativePct = &recorded.Comparisons[k].DeltaPP, recorded.Comparisons[k].RelativePct
		}
		if r.Rescored != nil {
			f := r.Rescored.Files[i]
			row.RescoredPassed, row.RescoredTotal, row.RescoredCI95, row.UpperBound = &f.RescoredPassed, f.Total-f.Unjudged, f.RescoredCI95,
				&f.UpperBound
		}
		p.Rows = append(p.Rows, row)
		checkRow(p, t, c, row)
	}
	checkLists(p, recorded)
	checkText(p, recorded)
	conclude(p, r)
	return p
}

func say(p *runfile.Published, format string, args ...any) {
	p.Errors = append(p.Errors, fmt.Sprintf(format, args...))
}

// checkRow finds cells that its own file contradicts.
func checkRow(p *runfile.Published, t printed, c runfile.Condition, row runfile.PublishedRow) {
	if c.Passed != t.passed || c.Judged != tasksPrinted {
		say(p, "row %d, %s: %d/%d printed, %d/%d in its file", t.number, t.condition, t.passed, tasksPrinted, c.Passed, c.Judged)
	}
	delta, relative, against := "+0.0pp", "(+0.0% rel)", "itself"
	if row.DeltaPP != nil && row.RelativePct != nil {
		delta, relative, against = fmt.Sprintf("%+.1fpp", *row.DeltaPP), fmt.Sprintf("(%+.1f%% rel)", *row.RelativePct), c.Base
	}
	if delta == t.delta && relative == t.relative {
		return
	}
	why := fmt.Sprintf("it was computed from a baseline typed in and rounded, %.1f", t.baseline)
	if t.condition == "Base 3B (re-eval)" || t.base == "Base 3B (re-eval)" {
		why = fmt.Sprintf("it was compared with %.1f, the base of an earlier experiment, and not with the base of its own run", t.baseline)
	}
	say(p, "row %d, %s: %s %s printed, %s %s from the counts against %s: %s", t.number, t.condition, t.delta, t.relative, delta, relative,
		against, why)
}

// checkLists finds tasks that the head-to-head blocks leave out.
func checkLists(p *runfile.Published, recorded runfile.CompareReport) {
	for _, l := range lists {
		i := slices.IndexFunc(recorded.Comparisons, func(c runfile.Compared) bool { return c.Other == l.other })
		if i < 0 {
			continue
		}
		c := recorded.Comparisons[i]
		if len(c.Improved) != l.said[0] || len(c.Regressed) != l.said[1] {
			say(p, "%s: %d improved and %d regressed printed, %d and %d in the files", l.other, l.said[0], l.said[1], len(c.Improved),
				len(c.Regressed))
		}
		for _, side := range []struct {
			word string
			all  []string
			had  []int
		}{{"improved", c.Improved, l.improved}, {"regressed", c.Regressed, l.regressed}} {
			var missing []string
			for _, id := range side.all {
				if !slices.ContainsFunc(side.had, func(n int) bool { return resultfile.Key(id) == fmt.Sprintf("humaneval/%d", n) }) {
					missing = append(missing, id)
				}
			}
			if len(missing) > 0 {
				say(p, "%s: the list of %d %s tasks was cut to %d; missing: %s", l.other, len(side.all), side.word, len(side.had),
					strings.Join(missing, ", "))
			}
		}
	}
}

// checkText compares sentences of the report with the counts.
func checkText(p *runfile.Published, recorded runfile.CompareReport) {
	for _, c := range recorded.Comparisons {
		switch c.Other {
		case "DPO 2K (3B)":
			say(p, `the text says "a 13.5pp collapse" on 3B where the table has -12.2; the counts give %+.1f pp`, c.DeltaPP)
		case "DPO 1K (15B)":
			say(p, "the text says -3.7pp for 1,000 pairs where the table has -3.6; the counts give %+.2f pp", c.DeltaPP)
		}
	}
	if t := recorded.Trend; t != nil && t.CI95 != nil && recorded.Conditions[0].Name == "Base 15B" {
		say(p, `the text says that "each 500 additional pairs costs ~2pp"; `+
			`the line through the counts falls by %.1f pp for each 500 (95%% interval %.1f to %.1f), over one training run of each size`,
			-t.SlopePP/2, -t.CI95[1]/2, -t.CI95[0]/2)
	}
	say(p, "no interval and no test was printed: the exact McNemar tests give %s", strings.Join(tests(recorded), ", "))
}

// tests are all p-values in one line.
func tests(r runfile.CompareReport) []string {
	var out []string
	for _, c := range r.Comparisons {
		out = append(out, fmt.Sprintf("%s p %s (%s after Holm)", c.Other, pText(c.P), pText(c.PHolm)))
	}
	return out
}

// conclude says what is left once the tests are run.
func conclude(p *runfile.Published, r Result) {
	if r.Rescored == nil {
		p.Conclusion = "What these verdicts are worth, --rescore finds out."
		return
	}
	least, most, fewest, greatest, bound := tasksPrinted, 0, tasksPrinted, 0, 0
	agree, rows := 0, 0
	for _, f := range r.Rescored.Files {
		least, most, bound = min(least, f.RescoredPassed), max(most, f.RescoredPassed), max(bound, f.UpperBound)
		if f.ReportedPassed != nil {
			fewest, greatest = min(fewest, *f.ReportedPassed), max(greatest, *f.ReportedPassed)
		}
		rows += f.Agreement.Rows
		if f.Agreement.WithoutTests != nil {
			agree += *f.Agreement.WithoutTests
		}
	}
	p.Conclusion = fmt.Sprintf("With the tests run, each condition passes %d to %d of its %d tasks, not %d to %d; were every completion "+
		"right that is not whole in its file, it would be %d at most. ",
		least, most, tasksPrinted, fewest, greatest, bound)
	if agree > 0 {
		p.Conclusion += fmt.Sprintf("On %d of the %d samples that are stored whole, the recorded verdict is whether the program runs to its "+
			"end without any test: check() was never called. ", agree, rows)
	}
	p.Conclusion += "Neither the order of the models nor a trend over the pairs is supported by these completions: what the table shows " +
		"is how often a model generated something that does not even run to its end."
}

// publishedTable is the table with everything beside each printed number.
func publishedTable(p *runfile.Published) grid.Table {
	t := grid.Table{Left: 2, Head: []string{"#", "Condition", "pairs", "printed", "", "vs base, printed", "vs base, from counts", "really",
		"", "95% interval", "at most", "empty", "cut"}}
	for _, r := range p.Rows {
		cells := []string{fmt.Sprint(r.Number), r.Condition, number(r.Size), fmt.Sprintf("%d/%d", r.PrintedPassed, tasksPrinted),
			r.PrintedPassAt1, r.PrintedDelta + " " + r.PrintedRelative}
		switch {
		case r.RecordedPassed == nil:
			cells = append(cells, "no file here", "", "", "", "", "", "")
		default:
			counts := "base"
			if r.DeltaPP != nil && r.RelativePct != nil {
				counts = fmt.Sprintf("%+.2f pp (%+.1f%%)", *r.DeltaPP, *r.RelativePct)
			}
			really, share, bound := "?", "", ""
			if r.RescoredPassed != nil {
				really, share, bound = fmt.Sprint(*r.RescoredPassed), grid.Percent(float64(*r.RescoredPassed)/float64(max(1, r.RescoredTotal))),
					fmt.Sprint(*r.UpperBound)
			}
			cells = append(cells, counts, really, share, grid.Span(r.RescoredCI95, 100, "%.1f"), bound, fmt.Sprint(r.Empty), fmt.Sprint(r.Truncated))
		}
		t.Add(cells...)
	}
	return t
}

func writePublished(p *runfile.Published, w io.Writer) error {
	var b strings.Builder
	b.WriteString("The published table, and what it really says\n\n" + publishedTable(p).Text() + "\n" + p.Conclusion +
		"\n\nWhat the report gets wrong about its own files:\n")
	for _, e := range p.Errors {
		fmt.Fprintf(&b, "  - %s\n", termtext.Inline(e))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func publishedMarkdown(p *runfile.Published) string {
	var b strings.Builder
	b.WriteString(publishedTable(p).Markdown() + "\n" + p.Conclusion + "\n\n## What the report gets wrong about its own files\n\n")
	for _, e := range p.Errors {
		fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(e))
	}
	return b.String()
}

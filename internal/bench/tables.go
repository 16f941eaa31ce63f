package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view"
)

// headline says what was compared, and what it cost.
func headline(r Result) string {
	bases := "codebases"
	if len(r.Codebases) == 1 {
		bases = "codebase"
	}
	repeats := ""
	if r.Repeats > 1 {
		repeats = fmt.Sprintf(", %d repeats", r.Repeats)
	}
	return fmt.Sprintf("%d configurations on %d %s%s; spent %s", len(r.Rows), len(r.Codebases), bases, repeats,
		span(r.SpentUSD, r.AtMostUSD))
}

// span is a cost, "$0.10 to $0.73" where not every call was settled.
func span(least, most *float64) string {
	if least == nil || most == nil || *most <= *least {
		return report.Dollars(least)
	}
	return report.Dollars(least) + " to " + report.Dollars(most)
}

// tables are what the result shows, in order. Tables without a row are left out.
func tables(r Result) []table {
	var out []table
	for _, t := range []table{glance(r), gapTable(r), economicsTable(r), truthTable(r), changeTable(r), testTable(r), baseTable(r),
		failures(r)} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// glance is the journal's first table.
func glance(r Result) table {
	t := table{Title: "Results at a glance", Head: []string{"Metric", "Root", "Worker", "Strategy", "Runs done", "Cost",
		"Sub-LLM calls dispatched", "Files analyzed via sub-LLM",
		"Unique deep bugs found", "Findings", "Coverage", "Errors in cells (repeated)", "Analysis quality"}}
	for _, row := range r.Rows {
		cells := []string{row.Config, row.Root, row.Worker, row.Strategy, fmt.Sprintf("%d of %d", row.Done, row.Total),
			cost(row), "?", "?", "?", "?", "?", "?", quality(row)}
		if row.Done > 0 {
			cells[6], cells[7] = whole(*row.Dispatches), whole(*row.FilesDispatched)
			if row.Strategy == env.StrategySingle {
				cells[11] = "N/A"
				cells[6], cells[7] = "N/A", whole(*row.FilesDispatched)+" (direct)"
			}
			cells[8], cells[9] = wholeOr(row.Unique), whole(*row.Findings)
			if row.Coverage != nil {
				cells[10] = report.Percent(*row.Coverage)
			}
			failed, again := 0, 0
			for _, run := range row.done() {
				failed, again = failed+run.CellErrors, again+run.RepeatedErrors
			}
			if row.Strategy != env.StrategySingle {
				cells[11] = fmt.Sprintf("%d (%d)", failed, again)
			}
		}
		if row.Strategy == env.StrategySingle {
			cells[2] = "N/A"
		}
		t.Rows = append(t.Rows, cells)
	}
	if n := runsEach(r); n > 1 {
		t.Notes = append(t.Notes, fmt.Sprintf("Counts and costs are sums over %d runs a configuration.", n))
	}
	return turned(t)
}

func runsEach(r Result) int {
	n := 0
	for _, row := range r.Rows {
		n = max(n, row.Total)
	}
	return n
}

// cost is "?" when it is unknown.
func cost(r Row) string {
	if r.Done == 0 {
		return "?"
	}
	return span(r.CostUSD, r.AtMostUSD)
}

// quality is "B (0.71)", or "?" where nothing came to its end.
func quality(r Row) string {
	if r.Quality == nil {
		return "?"
	}
	return fmt.Sprintf("%s (%.2f)", r.Grade, *r.Quality)
}

// gapTable is the journal's behavioural gap: how the target did, and how far the others are from it.
func gapTable(r Result) table {
	t := table{Title: "Behaviour gap against " + r.Target}
	if len(r.Gap) == 0 {
		return t
	}
	t.Head = []string{"Behaviour"}
	for _, g := range r.Gap {
		t.Head = append(t.Head, g.Config)
	}
	t.Head = append(t.Head, r.Target+" (target)")
	for k, m := range r.Gap[0].Measures {
		line := []string{m.Name}
		for _, g := range r.Gap {
			of := g.Measures[k]
			text := amount(of.Value, of.Of)
			switch {
			case of.Name == measureFinalized || of.Name == measureLastWork:
				if of.Value != nil && of.Target != nil && *of.Value != *of.Target {
					early := "early"
					if *of.Value > *of.Target {
						early = "late"
					}
					text += fmt.Sprintf(" (%s %s)", number(abs(*of.Target-*of.Value)), early)
				}
			case of.Ratio != nil && *of.Ratio > 0:
				text += fmt.Sprintf(" (%s)", times(*of.Ratio))
			case of.Value != nil && of.Target != nil && *of.Value == 0 && *of.Target > 0:
				text += " (none)"
			}
			line = append(line, text)
		}
		t.Rows = append(t.Rows, append(line, amount(m.Target, m.TargetOf)))
	}
	t.Notes = []string{"In brackets: the target's figure over this one, or turns before (early) or after (late) the target. Means a run, " +
		"except unique bugs."}
	if len(t.Head) > widest+2 {
		return flipped(t, "Configuration")
	}
	return t
}

// flipped exchanges rows and columns; corner is what stands above the first of them.
func flipped(t table, corner string) table {
	out := table{Title: t.Title, Notes: t.Notes, Head: []string{corner}}
	for _, row := range t.Rows {
		out.Head = append(out.Head, row[0])
	}
	for k := 1; k < len(t.Head); k++ {
		line := []string{t.Head[k]}
		for _, row := range t.Rows {
			line = append(line, row[k])
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// amount is "2", "2 of 4", or "N/A" of what does not exist.
func amount(x, of *float64) string {
	switch {
	case x == nil:
		return "N/A"
	case of == nil:
		return number(*x)
	}
	return number(*x) + " of " + number(*of)
}

// number has a decimal where there is something behind the point.
func number(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

func times(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) + "x" }

func abs(x float64) float64 { return max(x, -x) }

func whole(n int) string { return strconv.Itoa(n) }

// wholeOr is "?" of what is not known.
func wholeOr(n *int) string {
	if n == nil {
		return "?"
	}
	return whole(*n)
}

// economicsTable is the journal's projection.
func economicsTable(r Result) table {
	t := table{Title: fmt.Sprintf("Projected economics at %dx calls, a run", scale),
		Head: []string{"Configuration", "Sub-LLM calls", "Sub-LLM cost", "Root cost", "Total", "Sub as %", "Root growth a call"}}
	for _, p := range r.Economics {
		if p.Now.TotalUSD != nil && *p.Now.TotalUSD == 0 {
			continue // nothing was billed, and ten times nothing is nothing
		}
		growth := "unchanged"
		if p.Growth != nil {
			growth = fmt.Sprintf("$%.6f (%d runs)", *p.Growth, p.GrowthRuns)
		}
		for i, c := range []runfile.BenchCosts{p.Now, p.Then} {
			share, calls := "-", number(c.Calls)
			if c.WorkerShare != nil {
				share = report.Percent(*c.WorkerShare)
			} else if c.TotalUSD == nil {
				share = "?"
			}
			if i == 0 {
				calls += " (actual)"
			}
			t.Rows = append(t.Rows, []string{p.Config, calls, report.Dollars(c.WorkerUSD), report.Dollars(c.RootUSD), report.Dollars(c.TotalUSD),
				share, []string{"", growth}[i]})
		}
	}
	t.Notes = []string{"worker(10n) = 10 worker(n); root(10n) = root(n) + g 9n, with g the slope of root cost over calls within " +
		"codebases, over all runs of that root; unchanged (a lower bound) where it cannot be measured."}
	return t
}

// truthTable shows how many of the defects were found.
func truthTable(r Result) table {
	t := table{Title: "Against the truth", Head: []string{"Metric", "Defects", "Found", "Recall", "Recall, 95% interval", "Precision",
		"Precision, 95% interval", "F2",
		"Deep bugs found", "Unique deep bugs", "False findings", "of them decoys", "Duplicates"}}
	for _, row := range r.Rows {
		v := row.Truth
		if v == nil {
			if row.Done == 0 {
				t.Rows = append(t.Rows, []string{row.Config, "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?", "?"})
			}
			continue
		}
		t.Rows = append(t.Rows, []string{row.Config, whole(v.Total), whole(v.Found), share(v.Recall), v.RecallCI.String(), share(v.Precision),
			v.PrecisionCI.String(), share(v.F2),
			fmt.Sprintf("%d of %d", v.DeepFound, v.DeepTotal), wholeOr(v.Unique), whole(v.False), whole(v.Decoys), whole(v.Duplicates)})
	}
	if !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Truth != nil }) {
		t.Rows = nil
		return t
	}
	unit := "The unit of the intervals is the codebase (cluster-robust t)."
	if len(r.Codebases) == 1 {
		unit = "One codebase: the intervals take its defects and findings as the unit (Wilson, or t over repeats), and say nothing of other " +
			"codebases."
	}
	t.Notes = []string{unit}
	return turned(t)
}

func share(x *float64) string {
	if x == nil {
		return "n/a"
	}
	return fmt.Sprintf("%.3f", *x)
}

// testTable says which differences in recall are more than chance.
func testTable(r Result) table {
	t := table{Title: "Recall, paired over codebases", Head: []string{"A", "B", "Codebases", "A's", "B's", "Difference", "95% interval",
		"p", "p, corrected", "Verdict"}}
	for _, c := range r.Tests {
		if c.Tasks < 2 {
			continue // there is no test
		}
		t.Rows = append(t.Rows, []string{c.A, c.B, whole(c.Tasks), fmt.Sprintf("%.3f", c.Before), fmt.Sprintf("%.3f", c.After),
			fmt.Sprintf("%+.3f", c.Diff), c.CI.String(),
			fmt.Sprintf("%.3g", c.P), fmt.Sprintf("%.3g", c.PHolm), c.Words})
	}
	t.Notes = []string{"Sign-flip permutation test of the codebases' mean recalls; p corrected by Holm for the number of comparisons; " +
		"interval by paired t."}
	return t
}

// baseTable is what each configuration did on each codebase.
func baseTable(r Result) table {
	t := table{Title: "By codebase", Head: []string{"Codebase", "Files", "Lines"}}
	if len(r.Codebases) < 2 {
		return t
	}
	for _, row := range r.Rows {
		t.Head = append(t.Head, row.Config)
	}
	for b, base := range r.Codebases {
		line := []string{base.Name, whole(base.Files), whole(base.Lines)}
		for _, row := range r.Rows {
			line = append(line, onBase(row, b))
		}
		t.Rows = append(t.Rows, line)
	}
	t.Notes = []string{"Defects found of those there are (findings where there is no truth), and cost; sums over repeats."}
	return t
}

func onBase(row Row, b int) string {
	found, total, findings, done := 0, 0, 0, 0
	truth := false
	usd := new(float64)
	for _, run := range row.Runs {
		if run.job.codebase != b || run.State != StateDone {
			continue
		}
		done++
		findings += run.Findings
		usd = money.Plus(usd, run.CostUSD)
		if run.Truth != nil {
			truth, found, total = true, found+run.Truth.Found, total+run.Truth.Total
		}
	}
	switch {
	case done == 0:
		return "?"
	case truth:
		return fmt.Sprintf("%d of %d, %s", found, total, report.Dollars(usd))
	}
	return fmt.Sprintf("%d, %s", findings, report.Dollars(usd))
}

// failures lists the runs that do not count.
func failures(r Result) table {
	t := table{Title: "Runs that do not count", Head: []string{"Configuration", "Codebase", "Repeat", "Why"}}
	waiting := 0
	for _, row := range r.Rows {
		for _, run := range row.Runs {
			switch {
			case run.State == StateWaiting:
				waiting++
			case run.State != StateDone:
				why := cmp.Or(run.Error, string(run.Stop))
				t.Rows = append(t.Rows, []string{run.Config, run.Codebase, whole(run.Repeat), why})
			}
		}
	}
	if waiting > 0 {
		t.Notes = []string{fmt.Sprintf("Beside these, runs that are not begun: %d.", waiting)}
	}
	return t
}

// writeResult writes all forms. One that fails does not keep the others from being written.
func writeResult(d *rundir.Dir, r Result) error {
	return errors.Join(
		d.Write(ResultName+".json", func(w io.Writer) error { return WriteJSON(w, r) }),
		d.Write(ResultName+".md", func(w io.Writer) error { return WriteMarkdown(w, r) }),
		view.WritePage(d, ResultName+".html"), // of the files before it
	)
}

package bench

import (
	"fmt"
	"math"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// Result is bench.json, its rows with what they were made of.
type Result struct {
	// Rows has one element a configuration, in the order of the file.
	Rows []Row `json:"rows"`
	runfile.Bench
}

// Row is a configuration with all its runs.
type Row struct {
	runfile.BenchRow
	Runs []*Review `json:"runs"`
}

// newResult computes everything from the runs.
func newResult(m Manifest, subjects []*subject, runs []*Review) Result {
	r := Result{Bench: runfile.Bench{Target: m.Spec.Target, Repeats: m.Spec.Repeats, StartedAt: m.StartedAt, Version: m.Version,
		Rules: ruleTexts(), Notes: []string{}}}
	for _, s := range subjects {
		r.Codebases = append(r.Codebases, s.BenchCodebase)
	}
	unique := uniques(subjects, runs)
	for i, c := range m.Spec.Configs {
		row := Row{BenchRow: runfile.BenchRow{Config: c.Name, Root: c.Root, Worker: c.Worker, Strategy: c.Strategy}}
		for _, run := range runs {
			if run.job.config == i {
				row.Runs = append(row.Runs, run)
			}
		}
		row.sum()
		row.judge(subjects)
		if u := unique[i]; u.compared > 0 {
			row.Unique = &u.all
			if u.comparedByTrue > 0 {
				row.Truth.Unique = &u.true
			}
		}
		row.grade()
		r.Rows = append(r.Rows, row)
	}
	r.SpentUSD, r.AtMostUSD = new(float64), new(float64)
	for _, run := range runs {
		if run.State != StateWaiting {
			r.SpentUSD, r.AtMostUSD = money.Plus(r.SpentUSD, run.CostUSD), money.Plus(r.AtMostUSD, run.AtMostUSD)
		}
	}
	r.Gap = gaps(r.Rows, r.Target)
	r.Economics = project(r.Rows)
	r.Tests = compare(r.Rows, len(subjects), r.Target)
	r.Notes = notes(r)
	return r
}

// done lists the runs that count.
func (r *Row) done() []*Review {
	var done []*Review
	for _, run := range r.Runs {
		if run.State == StateDone {
			done = append(done, run)
		}
	}
	return done
}

// sum adds the runs up.
func (r *Row) sum() {
	done := r.done()
	r.Total, r.Done = len(r.Runs), len(done)
	if r.Done == 0 {
		return
	}
	r.CostUSD, r.AtMostUSD, r.RootCostUSD, r.WorkerCostUSD = new(float64), new(float64), new(float64), new(float64)
	r.Dispatches, r.FilesDispatched, r.Turns, r.Findings = new(int), new(int), new(int), new(int)
	lines, covered := 0, 0
	for _, run := range done {
		r.AtMostUSD = money.Plus(r.AtMostUSD, run.AtMostUSD)
		r.CostUSD, r.RootCostUSD, r.WorkerCostUSD = money.Plus(r.CostUSD, run.CostUSD), money.Plus(r.RootCostUSD, run.RootCostUSD),
			money.Plus(r.WorkerCostUSD, run.WorkerCostUSD)
		*r.Dispatches += run.Dispatches
		*r.FilesDispatched += run.FilesDispatched
		*r.Turns += run.Turns
		*r.Findings += run.Findings
		lines, covered = lines+run.Lines, covered+run.LinesDispatched
	}
	if lines > 0 {
		r.Coverage = new(float64(covered) / float64(lines))
	}
}

// judge adds up what the runs found of the truth.
func (r *Row) judge(subjects []*subject) {
	t := runfile.BenchTruth{}
	judged := 0
	for _, run := range r.done() {
		if run.Truth == nil {
			continue
		}
		judged++
		t.Total += run.Truth.Total
		t.Found += run.Truth.Found
		t.False += run.Truth.False
		t.Decoys += run.Truth.Decoys
		t.Duplicates += run.Truth.Duplicates
		t.DeepTotal += run.Truth.DeepTotal
		t.DeepFound += run.Truth.DeepFound
	}
	if judged == 0 {
		return
	}
	t.Recall, t.Precision = ratio(t.Found, t.Total), ratio(t.Found, t.Found+t.False)
	t.F2 = ratio(5*t.Found, 5*t.Found+4*(t.Total-t.Found)+t.False)
	t.RecallCI = r.interval(t.Found, t.Total, func(run *Review, put func(key string, hit bool)) {
		hit := make([]bool, run.Truth.Total)
		for _, p := range run.matching.Pairs {
			hit[p[0]] = true
		}
		for i, h := range hit {
			put(fmt.Sprint(i), h)
		}
	})
	t.PrecisionCI = r.interval(t.Found, t.Found+t.False, func(run *Review, put func(key string, hit bool)) {
		for _, p := range run.matching.Pairs {
			put(identity(run.findings[p[1]]), true)
		}
		for _, f := range run.matching.False {
			put(identity(run.findings[f]), false)
		}
	})
	r.Truth = &t
	r.sumChanges()
}

func identity(f finding.Finding) string { return fmt.Sprint(f.ID, f.File, f.Line, f.Category) }

func ratio(a, b int) *float64 {
	if b == 0 {
		return nil
	}
	return new(float64(a) / float64(b))
}

// interval is a 95 % interval for a share. The unit is the codebase where there are two or more; within one codebase it
// is the defect or finding, whose repeats are no new evidence.
func (r *Row) interval(hits, n int, each func(run *Review, put func(key string, hit bool))) stats.Interval {
	bases, units := map[int][]float64{}, map[string][]float64{}
	var baseOrder []int
	var unitOrder []string
	runs := 0
	for _, run := range r.done() {
		if run.Truth == nil {
			continue
		}
		runs++
		base := run.job.codebase
		each(run, func(key string, hit bool) {
			x := 0.0
			if hit {
				x = 1
			}
			if bases[base] == nil {
				baseOrder = append(baseOrder, base)
			}
			bases[base] = append(bases[base], x)
			if units[key] == nil {
				unitOrder = append(unitOrder, key)
			}
			units[key] = append(units[key], x)
		})
	}
	if runs == 1 || n == 0 {
		return stats.Wilson(hits, n, 0.95)
	}
	var groups [][]float64
	switch {
	case r.bases() > 1 && len(baseOrder) == 1:
		return stats.Interval{Lo: math.NaN(), Hi: math.NaN(), Level: 0.95, Why: "of one codebase only"}
	case r.bases() > 1:
		for _, b := range baseOrder {
			groups = append(groups, bases[b])
		}
	default:
		for _, u := range unitOrder {
			groups = append(groups, units[u])
		}
	}
	return stats.MeanCI(groups, stats.Unit(0.95))
}

// bases is how many codebases with a truth the row has runs on that are done.
func (r *Row) bases() int {
	seen := map[int]bool{}
	for _, run := range r.done() {
		if run.Truth != nil {
			seen[run.job.codebase] = true
		}
	}
	return len(seen)
}

// notes say what a reader of the tables must know of these runs.
func notes(r Result) []string {
	out := []string{}
	var simulated []string
	without := 0
	for _, b := range r.Codebases {
		if !b.Truth {
			without++
		}
	}
	if without > 0 {
		out = append(out, fmt.Sprintf("%d of %d codebases have no truth: there, unique bugs are grounded findings of severity high or "+
			"critical that no other configuration reported, and whether they are true is not known.", without, len(r.Codebases)))
	}
	for _, row := range r.Rows {
		if row.Done < row.Total {
			out = append(out, fmt.Sprintf("%s: %d of %d runs are done; the others do not count in its figures, so its sums do not compare with "+
				"those of complete rows.", row.Config, row.Done, row.Total))
		}
		if row.Worker == env.WorkerSim || row.Root == env.WorkerSim {
			simulated = append(simulated, row.Config)
		}
	}
	if len(simulated) > 0 {
		out = append(out, strings.Join(simulated, ", ")+": the reader is simulated. It knows the truth and tells it with a chance that "+
			"falls with the length of a prompt; that measures orchestration, and no language model.")
	}
	return out
}

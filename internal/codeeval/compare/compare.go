package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// Pair names two conditions that are compared.
type Pair struct{ Base, Other string }

// Options configures Run.
type Options struct {
	// Verdicts says whose they are, in the report. Defaults to "recorded".
	Verdicts string
	// Pairs are conditions that are compared with another base than the first condition. Defaults to none.
	Pairs []Pair
	// Unit is what sizes count. Defaults to "pairs".
	Unit string
	// Per is the size that a trend's slope is given for. Defaults to 1,000.
	Per float64
	// Resamples is the number of bootstrap samples and permutations. Defaults to 10,000.
	Resamples int
	// Seed seeds them. Defaults to 0, a seed like any other.
	Seed uint64
}

func (o Options) filled() Options {
	o.Verdicts, o.Unit = cmp.Or(o.Verdicts, Recorded), cmp.Or(o.Unit, "pairs")
	if o.Per <= 0 {
		o.Per = 1000
	}
	if o.Resamples <= 0 {
		o.Resamples = 10_000
	}
	return o
}

// Whose verdicts a report is about.
const (
	Recorded = "recorded"
	Rescored = "rescored"
)

// Run compares every condition with its base: the first one, unless o.Pairs name another.
func Run(conditions []Condition, o Options) (runfile.CompareReport, error) {
	o = o.filled()
	bases, err := basesOf(conditions, o.Pairs)
	if err != nil {
		return runfile.CompareReport{}, err
	}
	r := runfile.CompareReport{Verdicts: o.Verdicts, Seed: o.Seed, Resamples: o.Resamples, Comparisons: []runfile.Compared{}}
	for i, c := range conditions {
		row, err := rowOf(c, o.Verdicts)
		if err != nil {
			return runfile.CompareReport{}, err
		}
		if bases[i] >= 0 {
			row.Base = conditions[bases[i]].Name
		}
		r.Conditions = append(r.Conditions, row)
	}
	var ps []float64
	for i, b := range bases {
		if b < 0 {
			continue
		}
		c, err := compareTwo(conditions[b], conditions[i], o)
		if err != nil {
			return runfile.CompareReport{}, err
		}
		r.Comparisons = append(r.Comparisons, c)
		ps = append(ps, c.P)
	}
	for i, p := range stats.Holm(ps) {
		c := &r.Comparisons[i]
		c.PHolm = p
		if c.Test == TestMcNemar {
			c.McNemarPHolm = &p
		}
		c.Words = comparedWords(*c)
	}
	if err := addTrends(&r, conditions, bases, o); err != nil {
		return runfile.CompareReport{}, err
	}
	doubt(&r)
	addNotes(&r, conditions, bases)
	return r, nil
}

// basesOf is the index of each condition's base, -1 for those that are only compared with.
func basesOf(conditions []Condition, pairs []Pair) ([]int, error) {
	if len(conditions) < 2 {
		return nil, hint.Wrap(fmt.Errorf("%d result files: comparing takes two or more", len(conditions)), "give the one to compare with first")
	}
	at := map[string]int{}
	for i, c := range conditions {
		at[c.Name] = i
	}
	bases := make([]int, len(conditions))
	bases[0] = -1
	paired := map[int]bool{}
	for _, p := range pairs {
		b, ok := at[p.Base]
		o, also := at[p.Other]
		for name, known := range map[string]bool{p.Base: ok, p.Other: also} {
			if !known {
				return nil, hint.Wrap(fmt.Errorf("--pair names %q, which no result file is called", name),
					"the files are called "+strings.Join(namesOf(conditions), ", "))
			}
		}
		if b == o {
			return nil, hint.Wrap(fmt.Errorf("--pair compares %q with itself", p.Base), "give two conditions")
		}
		if paired[o] {
			return nil, hint.Wrap(fmt.Errorf("--pair compares %q twice", p.Other), "a condition has one base; run the command again for another")
		}
		bases[o], paired[o] = b, true
	}
	for _, p := range pairs {
		if b := at[p.Base]; !paired[b] {
			bases[b] = -1
		}
	}
	if slices.Max(bases) < 0 {
		return nil, hint.Wrap(fmt.Errorf("nothing is compared"), "give a base and at least one other result file")
	}
	return bases, nil
}

func namesOf(conditions []Condition) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Name)
	}
	return all
}

func rowOf(c Condition, verdicts string) (runfile.Condition, error) {
	n := count(c.File)
	if n.judged == 0 {
		return runfile.Condition{}, hint.Wrap(fmt.Errorf("%s: %w", c.File.Path, errNoVerdicts), "--rescore runs the tests on its samples")
	}
	v := stats.PassCI(n.scores)
	row := runfile.Condition{
		Name: c.Name, Path: c.File.Path, Form: c.File.Form, Model: c.File.Model, Size: c.Size,
		Tasks: n.tasks, Samples: n.samples, Passed: n.passed, Judged: n.judged, Unjudged: n.unjudged,
		Empty: n.empty, EmptyPassed: n.emptyPassed, Truncated: n.truncated,
		PassAt1: n.passAt1(), CI95: v.Ends(1), CIMethod: v.Method,
	}
	row.Warnings = append(warnings(n, c.File.Cut, verdicts), c.File.Notes...)
	return row, nil
}

// Tests of a Comparison.
const (
	TestMcNemar  = "mcnemar-exact"
	TestSignFlip = "sign-flip"
)

// methodSame is the CIMethod of a comparison in which no task differs.
const methodSame = "paired-all-equal"

// doubt raises the alarm where there is reason to, and repeats it where a trend would be quoted without it.
func doubt(r *runfile.CompareReport) {
	r.Alarm = alarm(r.Conditions, r.Verdicts)
	if r.Alarm == "" || r.Verdicts != Recorded || r.Trend == nil {
		return
	}
	const faulty = " It is a trend of verdicts that look like a harness fault."
	r.Trend.Words += faulty
	for i := range r.FurtherTrends {
		r.FurtherTrends[i].Words += faulty
	}
}

// mostEmpty is the share of empty completions from which a run says more about its harness than about its model.
const mostEmpty = 0.1

// warnings say what a score hides. What rescored files hold, the rescoring has said.
func warnings(n counts, cut int, verdicts string) []string {
	var out []string
	known := n.samples - n.absent
	share := float64(n.empty) / float64(max(1, known))
	if verdicts == Recorded && (share > mostEmpty || n.emptyPassed > 0) {
		out = append(out, fmt.Sprintf("%d of %d completions (%.0f%%) are empty, and %d of the %d passes are of empty ones", n.empty, known,
			100*share, n.emptyPassed, n.passed))
	}
	switch {
	case verdicts != Recorded || n.truncated == 0:
	case cut > 0:
		out = append(out, fmt.Sprintf("%d completions are stored cut at %d characters", n.truncated, cut))
	default:
		out = append(out, fmt.Sprintf("%d completions were cut by the limit of tokens", n.truncated))
	}
	if n.unjudged > 0 {
		out = append(out, fmt.Sprintf("%d of %d samples have no verdict and are left out; they are not counted as failed", n.unjudged, n.samples))
	}
	return out
}

// alarm is what the conditions' empties say of the harness that judged them, or generated them. "" for nothing.
func alarm(rows []runfile.Condition, verdicts string) string {
	fault, empties := 0, 0
	for _, r := range rows {
		if r.EmptyPassed > 0 && verdicts == Recorded {
			fault++
		}
		if float64(r.Empty) > mostEmpty*float64(r.Samples) {
			empties++
		}
	}
	switch {
	case fault > 0:
		return fmt.Sprintf("In %d of %d conditions empty completions are recorded as passed. Nothing passes no test: this looks like a "+
			"harness fault, and differences between such verdicts say nothing about models. --rescore runs the tests.",
			fault, len(rows))
	case empties > 0:
		return fmt.Sprintf("In %d of %d conditions more than %.0f%% of the completions are empty. This looks like a harness fault: models "+
			"were stopped at once, or their prompts were wrong. Small differences say nothing about them.",
			empties, len(rows), 100*mostEmpty)
	}
	return ""
}

func compareTwo(base, other Condition, o Options) (runfile.Compared, error) {
	p := pair(base.File, other.File)
	if len(p.ids) == 0 {
		return runfile.Compared{}, hint.Wrap(fmt.Errorf("%s and %s have no task in common", base.File.Path, other.File.Path),
			"are they of the same benchmark?")
	}
	c := runfile.Compared{Base: base.Name, Other: other.Name, Tasks: len(p.ids), OnlyBase: p.onlyBase, OnlyOther: p.onlyOther,
		Unjudged: p.unjudged}
	countFlips(&c, p)
	was, is := stats.TaskMeans(p.base), stats.TaskMeans(p.other)
	diffs, err := stats.Differences(was, is)
	if err != nil {
		return runfile.Compared{}, err
	}
	c.BasePassAt1, c.OtherPassAt1 = stats.Mean(was), stats.Mean(is)
	c.DeltaPP = 100 * stats.Mean(diffs)
	if c.BasePassAt1 > 0 {
		c.RelativePct = new(100 * (c.OtherPassAt1 - c.BasePassAt1) / c.BasePassAt1)
	}
	v, err := stats.PairedBootstrap(p.base, p.other, stats.MeanOptions{Resamples: o.Resamples, Seed: o.Seed})
	if err != nil {
		return runfile.Compared{}, err
	}
	c.CI95, c.CIMethod = v.Ends(100), "paired-"+v.Method
	if !p.single() {
		all, err := stats.Compare(p.base, p.other, stats.CompareOptions{Max: 1, Resamples: o.Resamples, Seed: o.Seed})
		if err != nil {
			return runfile.Compared{}, err
		}
		c.Test, c.P = TestSignFlip, all.P
		if all.MDE > 0 {
			c.MinimumDetectablePP = new(100 * all.MDE)
		}
		return c, nil
	}
	changed := len(c.Improved) + len(c.Regressed)
	c.Test, c.P = TestMcNemar, stats.McNemar(len(c.Improved), len(c.Regressed)).Exact
	c.McNemarP = new(c.P)
	c.WaldCI95 = stats.PairedProportionCI(c.Tasks, len(c.Improved), len(c.Regressed), 0.95).Ends(100)
	if mde, ok := stats.DetectablePassRate(c.Tasks, float64(changed)/float64(c.Tasks)); ok {
		c.MinimumDetectablePP = new(100 * mde)
	}
	return c, nil
}

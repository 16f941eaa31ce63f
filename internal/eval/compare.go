package eval

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Comparison is several evals of the same tasks side by side. The first one is what the others are compared with.
type Comparison struct {
	Environment string             `json:"environment"`
	Evals       []Column           `json:"evals"`
	Tests       []runfile.TaskTest `json:"comparisons"`
	// Metrics compare what rankings are measured by, one by one, where all evals have it.
	Metrics []MetricTest `json:"metrics,omitempty"`
	// Notes are what must be known before the table is believed.
	Notes []string `json:"notes,omitempty"`
}

// Column is one eval in the table.
type Column struct {
	Dir      string             `json:"dir"`
	Model    string             `json:"model"`
	Worker   string             `json:"worker,omitempty"`
	Strategy string             `json:"strategy,omitempty"`
	Tasks    int                `json:"tasks"`
	Rollouts int                `json:"rollouts"` // in all, errors included
	Errors   int                `json:"errors"`
	Reward   runfile.EvalSpread `json:"reward"`
	Turns    runfile.EvalSpread `json:"turns"`
	Input    runfile.EvalSpread `json:"input_tokens"`
	Output   runfile.EvalSpread `json:"output_tokens"`
	// ZeroDelegation and OverExploration are null where the rows do not say.
	ZeroDelegation  *runfile.EvalShare `json:"zero_delegation"`
	OverExploration *runfile.EvalShare `json:"over_exploration"`
	Cost            *float64           `json:"cost_usd"` // null: not known
}

// MetricTest compares a metric of one eval with the first one's, task by task. Many metrics are looked at, so an interval without 0 is
// a hint, and the test of the reward decides.
type MetricTest struct {
	Name  string `json:"name"`
	Other string `json:"other"`
	// Tasks is how many tasks both have it of.
	Tasks  int     `json:"tasks"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Bootstrap is the paired bootstrap interval of After - Before, at 95% (BCa over tasks).
	Bootstrap stats.Interval `json:"ci_bootstrap"`
}

// ranks reports a metric of rankings: at a cut-off, or a mean of ranks.
func ranks(metric string) bool {
	return strings.Contains(metric, "@") || strings.HasSuffix(metric, "mrr") || strings.HasSuffix(metric, "map")
}

// alpha is the chance of a false alarm that Compare accepts over all comparisons.
const alpha = 0.05

// policyArgs are the arguments of an environment that differ between evals that may be compared: they say who played,
// not which tasks.
var policyArgs = []string{"worker", "strategy", "max_turns"}

// CompareSaved sets evals side by side. Evals of different tasks are refused.
func CompareSaved(evals []Saved) (Comparison, error) {
	if len(evals) < 2 {
		return Comparison{}, hint.Wrap(fmt.Errorf("there is nothing to compare %d evals with", len(evals)),
			"give two or more directories, the base first")
	}
	c := Comparison{Environment: evals[0].Header.Environment}
	for i, s := range evals {
		if i > 0 {
			note, err := pairable(evals[0], s)
			if err != nil {
				return Comparison{}, err
			}
			if note != "" {
				c.Notes = append(c.Notes, note)
			}
		}
		if s.Torn {
			c.Notes = append(c.Notes, s.Dir+": the last row was cut off and is left out; deeprepo resume "+s.Dir+" plays it")
		}
		col := column(s)
		if col.Errors > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %d of %d rollouts ended in an error and are in no mean", s.Dir, col.Errors, col.Rollouts))
		}
		c.Evals = append(c.Evals, col)
	}
	var ps []float64
	for _, s := range evals[1:] {
		t, err := test(evals[0], s)
		if err != nil {
			return Comparison{}, err
		}
		c.Tests = append(c.Tests, t)
		ps = append(ps, t.P)
		for _, name := range s.Results.Metrics() {
			if ranks(name) {
				m, err := metricTest(evals[0], s, name)
				if err != nil {
					return Comparison{}, err
				}
				if m.Tasks > 0 {
					c.Metrics = append(c.Metrics, m)
				}
			}
		}
	}
	for i, p := range stats.Holm(ps) {
		t := &c.Tests[i]
		t.PHolm = p
		if p >= alpha && (t.Verdict == stats.VerdictBetter || t.Verdict == stats.VerdictWorse) {
			t.Verdict = stats.VerdictTooSmall
		}
		t.Words = testWords(*t, len(ps))
	}
	return c, nil
}

// rulesArg is the version of the environment's rules. An eval that does not say it is of a time before there was one.
const rulesArg = "rules_version"

// pairable refuses evals whose examples are different tasks. note is what could not be checked.
func pairable(a, b Saved) (note string, err error) {
	refuse := func(what string) error {
		return hint.Wrap(fmt.Errorf("%s and %s cannot be compared: %s", a.Dir, b.Dir, what),
			"only evals of the same tasks can: the same environment, split, seed, language, difficulty and files")
	}
	if a.Header.Environment != b.Header.Environment {
		return "", refuse(fmt.Sprintf("one is of %s, the other of %s", termtext.MaskedLine(a.Header.Environment),
			termtext.MaskedLine(b.Header.Environment)))
	}
	keys := slices.Sorted(maps.Keys(a.Args))
	for k := range b.Args {
		if _, ok := a.Args[k]; !ok {
			keys = append(keys, k)
		}
	}
	unknown := false
	for _, k := range keys {
		if slices.Contains(policyArgs, k) {
			continue
		}
		x, hasX := a.Args[k]
		y, hasY := b.Args[k]
		if (hasX && hasY || k == rulesArg) && !reflect.DeepEqual(x, y) {
			return "", refuse(fmt.Sprintf("%s is %v in one and %v in the other", termtext.MaskedLine(k), termtext.MaskedLine(fmt.Sprint(x)),
				termtext.MaskedLine(fmt.Sprint(y))))
		}
		unknown = unknown || hasX != hasY
	}
	if a.Shuffle != b.Shuffle {
		return "", refuse("their tasks were shuffled differently")
	}
	common := 0
	names := map[int]string{}
	for i := range a.Results.records {
		names[a.Results.records[i].Example] = a.Results.records[i].Task
	}
	for _, group := range b.Results.byExample() {
		name, ok := names[group[0].Example]
		if !ok {
			continue
		}
		common++
		if other := group[0].Task; name != "" && other != "" && name != other {
			return "", refuse(fmt.Sprintf("example %d is %s in one and %s in the other", group[0].Example, termtext.MaskedLine(name),
				termtext.MaskedLine(other)))
		}
		unknown = unknown || name == "" || group[0].Task == ""
	}
	if common == 0 {
		return "", refuse("they have no example in common")
	}
	if unknown {
		return fmt.Sprintf("%s and %s do not both say which tasks they played: they are paired by example number", a.Dir, b.Dir), nil
	}
	return "", nil
}

func column(s Saved) Column {
	r := s.Results
	sum := summarize(r)
	str := func(key string) string { v, _ := s.Args[key].(string); return v }
	groups := r.byExample()
	over := func(of func(*Record) (float64, bool)) runfile.EvalSpread {
		all := make([][]float64, len(groups))
		for i, g := range groups {
			all[i] = values(g, of)
		}
		return savedrow.Spread(all, stats.MeanOptions{})
	}
	c := Column{
		Dir: s.Dir, Model: s.Header.Model, Worker: str("worker"), Strategy: str("strategy"), Tasks: len(groups), Rollouts: len(r.records),
		Errors: sum.Errors, Reward: sum.Reward, ZeroDelegation: sum.ZeroDelegation, OverExploration: sum.OverExploration,
		Turns:  over(func(rec *Record) (float64, bool) { return r.metric(rec, "num_turns") }),
		Input:  over(func(rec *Record) (float64, bool) { return rec.Input, true }),
		Output: over(func(rec *Record) (float64, bool) { return rec.Output, true }),
		Cost:   s.Cost,
	}
	if total := sum.Usage.Total; total != nil {
		c.Cost = new(total.Float64())
	}
	return c
}

// test compares two evals by the means of their tasks.
func test(base, other Saved) (runfile.TaskTest, error) {
	reward := func(*Results) func(*Record) (float64, bool) {
		return func(rec *Record) (float64, bool) { return rec.Reward, true }
	}
	before, after := pair(base.Results, other.Results, reward)
	c, err := stats.Compare(before, after, stats.CompareOptions{Alpha: alpha, Max: 1})
	if err != nil {
		return runfile.TaskTest{}, fmt.Errorf("compare %s with %s: %w", base.Dir, other.Dir, err)
	}
	if c.Tasks == 0 {
		return runfile.TaskTest{}, hint.Wrap(errors.New("no task has a reward in both "+base.Dir+" and "+other.Dir),
			"deeprepo resume plays rollouts again that ended in an error")
	}
	diffs, err := stats.Differences(stats.TaskMeans(before), stats.TaskMeans(after))
	if err != nil {
		return runfile.TaskTest{}, fmt.Errorf("compare %s with %s: %w", base.Dir, other.Dir, err)
	}
	return runfile.TaskTest{Base: base.Dir, Other: other.Dir, Comparison: c,
		Bootstrap: stats.MeanCI(stats.Singles(diffs), stats.MeanOptions{Level: 1 - alpha, Method: stats.MethodBCa, Min: -1, Max: 1})}, nil
}

// metricTest compares two evals by a metric.
func metricTest(base, other Saved, name string) (MetricTest, error) {
	before, after := pair(base.Results, other.Results, func(r *Results) func(*Record) (float64, bool) {
		return func(rec *Record) (float64, bool) { return r.metric(rec, name) }
	})
	x, y := stats.TaskMeans(before), stats.TaskMeans(after)
	diffs, err := stats.Differences(x, y)
	if err != nil {
		return MetricTest{}, fmt.Errorf("compare %s of %s with %s: %w", termtext.MaskedLine(name), base.Dir, other.Dir, err)
	}
	return MetricTest{name, other.Dir, len(diffs), stats.Mean(x), stats.Mean(y),
		stats.MeanCI(stats.Singles(diffs), stats.MeanOptions{Level: 1 - alpha, Method: stats.MethodBCa, Min: -1, Max: 1})}, nil
}

// pair gives the values of the examples that both evals have values of.
func pair(a, b *Results, value func(*Results) func(*Record) (float64, bool)) (before, after [][]float64) {
	of := map[int][]float64{}
	for _, g := range b.byExample() {
		of[g[0].Example] = values(g, value(b))
	}
	for _, g := range a.byExample() {
		if x, y := values(g, value(a)), of[g[0].Example]; len(x) > 0 && len(y) > 0 {
			before, after = append(before, x), append(after, y)
		}
	}
	return before, after
}

// testWords says what a comparison means.
func testWords(t runfile.TaskTest, of int) string {
	tasks := "tasks"
	if t.Tasks == 1 {
		tasks = "task"
	}
	switch t.Verdict {
	case stats.VerdictBetter, stats.VerdictWorse:
		return fmt.Sprintf("%s: %+.3f over %d %s, p %s", t.Verdict, t.Diff, t.Tasks, tasks, pValue(t.PHolm, of))
	case stats.VerdictSame:
		return fmt.Sprintf("%s: %+.3f over %d %s, and no difference of 0.05 fits these numbers", t.Verdict, t.Diff, t.Tasks, tasks)
	}
	text := fmt.Sprintf("too few tasks to tell: %+.3f over %d %s, p %s", t.Diff, t.Tasks, tasks, pValue(t.PHolm, of))
	if smallest := 2 / float64(uint64(1)<<min(t.Tasks, 62)); smallest >= alpha/float64(of) {
		text += fmt.Sprintf(" (%d %s cannot give less than %.3g, whatever the rewards)", t.Tasks, tasks, smallest)
	}
	if needed := max(t.TasksNeeded, fewestTasks(of)); t.TasksNeeded > t.Tasks {
		text += fmt.Sprintf("; if the difference is real, about %d tasks would show it", needed)
	} else if t.TasksNeeded > 0 && needed > t.Tasks {
		text += fmt.Sprintf("; %d tasks are the fewest that could show it", needed)
	} else if t.Diff != 0 && t.SD == 0 && needed > t.Tasks {
		text += fmt.Sprintf("; %d tasks are the fewest that could show a difference", needed)
	}
	return text
}

// fewestTasks is the smallest number of tasks over which a permutation test can fall below alpha, corrected for the
// number of comparisons.
func fewestTasks(comparisons int) int {
	n := 1
	for 2/float64(uint64(1)<<n) >= alpha/float64(comparisons) {
		n++
	}
	return n
}

func pValue(p float64, comparisons int) string {
	text := fmt.Sprintf("%.3f", p)
	if p < 0.001 {
		text = "< 0.001"
	}
	if comparisons > 1 {
		text += fmt.Sprintf(" (Holm, %d comparisons)", comparisons)
	}
	return text
}

// costText is dollars, "?" when not known.
func costText(c *float64) string {
	if c == nil {
		return "?"
	}
	u, err := money.ParseUSD(fmt.Sprintf("%.6f", *c))
	if err != nil {
		return "?"
	}
	return money.Text(&u, "?")
}

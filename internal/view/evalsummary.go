package view

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// EvalSummary is the summary.json of an eval, or what its rows say so far.
type EvalSummary struct {
	Status      string `json:"status"`
	Environment string `json:"environment"`
	Warning     string `json:"warning,omitempty"` // what must be known before the numbers are believed
	Model       string `json:"model"`
	Worker      string `json:"worker,omitempty"` // "": the environment's simulated ones
	Strategy    string `json:"strategy,omitempty"`
	Split       string `json:"split,omitempty"`
	Seed        *int64 `json:"seed"`
	Examples    int    `json:"examples"`
	Rollouts    int    `json:"rollouts"` // per example
	Planned     int    `json:"planned"`
	Done        int    `json:"done"`   // rollouts with a row, errors included
	Errors      int    `json:"errors"` // of Done
	// ErrorNames says which errors, and how often.
	ErrorNames      map[string]int        `json:"error_names"`
	Reward          EvalSpread            `json:"reward"`
	Metrics         map[string]EvalSpread `json:"metrics"`
	ZeroDelegation  *EvalShare            `json:"zero_delegation"`
	OverExploration *EvalShare            `json:"over_exploration"`
	RepeatedErrors  *EvalRepeated         `json:"repeated_errors"`
	DispatchErrors  *EvalCount            `json:"dispatch_errors"`
	NoCells         int                   `json:"rollouts_without_cells"`
	StopConditions  map[string]float64    `json:"stop_conditions"` // shares of Done
	Usage           EvalUsage             `json:"usage"`
	Tasks           []EvalTask            `json:"tasks"`
	Seconds         float64               `json:"seconds"`
}

// EvalSpread describes values over rollouts. CI95 is the 95 % interval of the mean with the task as the unit.
type EvalSpread struct {
	N     int         `json:"n"`
	Mean  *float64    `json:"mean"` // null: no values
	Std   *float64    `json:"std"`  // population
	Min   *float64    `json:"min"`
	Max   *float64    `json:"max"`
	CI95  *[2]float64 `json:"ci95"`
	CIHow string      `json:"ci95_method,omitempty"`
	CIWhy string      `json:"ci95_why,omitempty"` // why there is none
}

// EvalShare is a share of rollouts with its 95 % interval.
type EvalShare struct {
	Count int         `json:"count"`
	Of    int         `json:"of"`
	Rate  float64     `json:"rate"`
	CI95  *[2]float64 `json:"ci95"`
}

// EvalCount is so many of so many.
type EvalCount struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// EvalRepeated counts cells that failed with the error of the cell before.
type EvalRepeated struct {
	Cells    int `json:"cells"`
	Rollouts int `json:"rollouts"` // that have any
}

// EvalUsage is what the rollouts consumed.
type EvalUsage struct {
	Root       EvalRole `json:"root"`
	Worker     EvalRole `json:"worker"`
	Total      *float64 `json:"total_cost_usd"` // null: not known
	Unfinished *float64 `json:"unfinished_cost_usd,omitempty"`
}

// EvalRole is the usage of the policy or of the workers.
type EvalRole struct {
	Calls  int      `json:"calls"`
	Input  int      `json:"input_tokens"`
	Output int      `json:"output_tokens"`
	Cached int      `json:"cached_tokens"`
	Cost   *float64 `json:"cost_usd"`
}

// EvalTask is a task of an eval: what its rollouts that count earned.
type EvalTask struct {
	Example int      `json:"example_id"`
	Task    string   `json:"task"`
	N       int      `json:"rollouts"` // that count
	Errors  int      `json:"errors"`
	Mean    *float64 `json:"mean"`
	Std     *float64 `json:"std"`
	Min     *float64 `json:"min"`
	Max     *float64 `json:"max"`
	Turns   *float64 `json:"turns"` // mean
}

// parseEvalSummary reads a summary.json; false for what is none of an eval.
func parseEvalSummary(data []byte) (EvalSummary, bool) {
	var s EvalSummary
	if bounded.Unmarshal(data, &s) != nil || s.Environment == "" || s.Done < 0 {
		return EvalSummary{}, false
	}
	return s, true
}

// summarizeRows says what the rows alone tell, the way summary.json does: for evals that are under way, and for those
// that verifiers saved.
func summarizeRows(rows []evalRow) EvalSummary {
	s := EvalSummary{Done: len(rows), Metrics: map[string]EvalSpread{}, StopConditions: map[string]float64{}, ErrorNames: map[string]int{}}
	groups := byExample(rows)
	s.Reward = spreadOf(groups, stats.Unit(0.95), func(r *evalRow) float64 { return r.reward })
	for _, name := range metricNames(rows) {
		s.Metrics[name] = spreadOf(groups, stats.MeanOptions{}, func(r *evalRow) float64 { return r.metric(name) })
	}
	zero := EvalShare{}
	total := 0.0 // NaN with a cost that is not known
	for i := range rows {
		r := &rows[i]
		s.StopConditions[r.stop] += 1 / float64(len(rows))
		total += r.cost
		if r.failure != "" {
			s.Errors++
			s.ErrorNames[r.failure]++
			continue
		}
		if !math.IsNaN(r.dispatches) {
			zero.Of++
			if r.dispatches == 0 {
				zero.Count++
			}
		}
	}
	if len(rows) > 0 && !math.IsNaN(total) {
		s.Usage.Total = &total
	}
	if zero.Of > 0 {
		zero.Rate = float64(zero.Count) / float64(zero.Of)
		if v := stats.Wilson(zero.Count, zero.Of, 0.95); v.OK() {
			zero.CI95 = &[2]float64{v.Lo, v.Hi}
		}
		s.ZeroDelegation = &zero
	}
	return s
}

// metric is NaN where the row has none.
func (r *evalRow) metric(name string) float64 {
	if v, ok := r.metrics[name]; ok {
		return v
	}
	return math.NaN()
}

// byExample groups rows that are in order.
func byExample(rows []evalRow) [][]evalRow {
	var groups [][]evalRow
	for start, i := 0, 1; i <= len(rows); i++ {
		if i == len(rows) || rows[i].example != rows[start].example {
			groups = append(groups, rows[start:i])
			start = i
		}
	}
	return groups
}

// valuesOf are the values of the rollouts that count.
func valuesOf(rows []evalRow, of func(*evalRow) float64) []float64 {
	var out []float64
	for i := range rows {
		if v := of(&rows[i]); rows[i].failure == "" && !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

func spreadOf(groups [][]evalRow, o stats.MeanOptions, of func(*evalRow) float64) EvalSpread {
	var all []float64
	values := make([][]float64, len(groups))
	for i, g := range groups {
		values[i] = valuesOf(g, of)
		all = append(all, values[i]...)
	}
	if len(all) == 0 {
		return EvalSpread{CIWhy: "no values"}
	}
	v := stats.Summarize(all)
	s := EvalSpread{N: v.N, Mean: &v.Mean, Std: &v.Std, Min: &v.Min, Max: &v.Max}
	if ci := stats.MeanCI(values, o); ci.OK() {
		s.CI95, s.CIHow = &[2]float64{ci.Lo, ci.Hi}, ci.Method
	} else {
		s.CIWhy = ci.Why
	}
	return s
}

// tasksOf has a line a task.
func tasksOf(rows []evalRow) []EvalTask {
	tasks := []EvalTask{}
	for _, g := range byExample(rows) {
		t := EvalTask{Example: g[0].example, Task: g[0].task}
		rewards := valuesOf(g, func(r *evalRow) float64 { return r.reward })
		t.N, t.Errors = len(rewards), len(g)-len(rewards)
		if len(rewards) > 0 {
			s := stats.Summarize(rewards)
			t.Mean, t.Std, t.Min, t.Max = &s.Mean, &s.Std, &s.Min, &s.Max
		}
		if turns := valuesOf(g, func(r *evalRow) float64 { return r.metric("num_turns") }); len(turns) > 0 {
			mean := stats.Mean(turns)
			t.Turns = &mean
		}
		tasks = append(tasks, t)
	}
	return tasks
}

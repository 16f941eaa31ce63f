package evals

import (
	"maps"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// parseEvalSummary reads a summary.json; false for what is none of an eval.
func parseEvalSummary(data []byte) (runfile.EvalSummary, bool) {
	var s runfile.EvalSummary
	if bounded.Unmarshal(data, &s) != nil || s.Environment == "" || s.Done < 0 {
		return runfile.EvalSummary{}, false
	}
	return s, true
}

// summarizeRows says what the rows alone tell, the way summary.json does: for evals that are under way, and for those
// that verifiers saved.
func summarizeRows(rows []evalRow) runfile.EvalSummary {
	s := runfile.EvalSummary{Schema: 1, Done: len(rows), Metrics: map[string]runfile.EvalSpread{}, StopConditions: map[string]float64{},
		ErrorNames: map[string]int{}}
	groups := savedrow.Groups(rows, rowOf)
	s.Reward = spreadOf(groups, stats.Unit(0.95), func(r *evalRow) float64 { return r.Reward })
	for _, name := range metricNames(rows) {
		s.Metrics[name] = spreadOf(groups, stats.MeanOptions{}, func(r *evalRow) float64 { return r.metric(name) })
	}
	zero := runfile.EvalCount{}
	total := 0.0 // NaN with a cost that is not known
	for i := range rows {
		r := &rows[i]
		s.StopConditions[r.Stop] += 1 / float64(len(rows))
		total += r.cost
		if r.Error != "" {
			s.Errors++
			s.ErrorNames[r.Error]++
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
		s.Usage.Total = new(money.MaxUSD)
		if total < money.MaxUSD.Float64() {
			*s.Usage.Total = money.USD(math.Round(total * float64(money.Dollar)))
		}
	}
	if zero.Of > 0 {
		s.ZeroDelegation = savedrow.Share(zero.Count, zero.Of)
		s.ZeroDelegationRate = &s.ZeroDelegation.Rate
	}
	return s
}

// metric is NaN where the row has none.
func (r *evalRow) metric(name string) float64 {
	if v, ok := r.Metrics[name]; ok {
		return v
	}
	return math.NaN()
}

// valuesOf are the values of the rollouts that count.
func valuesOf(rows []evalRow, of func(*evalRow) float64) []float64 {
	var out []float64
	for i := range rows {
		if v := of(&rows[i]); rows[i].Error == "" && !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

func spreadOf(groups [][]evalRow, o stats.MeanOptions, of func(*evalRow) float64) runfile.EvalSpread {
	values := make([][]float64, len(groups))
	for i, g := range groups {
		values[i] = valuesOf(g, of)
	}
	return savedrow.Spread(values, o)
}

// tasksOf has a line a task.
func tasksOf(rows []evalRow) []runfile.EvalTask {
	tasks := []runfile.EvalTask{}
	for _, g := range savedrow.Groups(rows, rowOf) {
		rewards := valuesOf(g, func(r *evalRow) float64 { return r.Reward })
		turns := valuesOf(g, func(r *evalRow) float64 { return r.metric("num_turns") })
		tasks = append(tasks, savedrow.Example(g[0].Example, g[0].Task, rewards, turns, len(g)))
	}
	return tasks
}

// metricNames are the names that the rows' metrics have, sorted.
func metricNames(rows []evalRow) []string {
	seen := map[string]bool{}
	for i := range rows {
		for name := range rows[i].Metrics {
			if len(seen) < mostMetrics {
				seen[name] = true
			}
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(seen))...)
}

package bench

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Names of the measures, as the research journal has them.
const (
	measureDispatches = "Sub-LLM calls dispatched"
	measureGroups     = "File groups covered"
	measureTurns      = "Turns with active sub-LLM work"
	measureFinalized  = "Answer finalised after turn"
	measureLastWork   = "Last turn with sub-LLM work"
	measureUnique     = "Unique deep bugs"
)

// gaps compares every other configuration with the target; nothing without one.
func gaps(rows []Row, target string) []runfile.BenchGap {
	var of *Row
	for i := range rows {
		if rows[i].Config == target {
			of = &rows[i]
		}
	}
	if of == nil {
		return nil
	}
	wanted := conductOf(of)
	var out []runfile.BenchGap
	for i := range rows {
		if rows[i].Config == target {
			continue
		}
		g := runfile.BenchGap{Config: rows[i].Config, Measures: conductOf(&rows[i])}
		for k := range g.Measures {
			m := &g.Measures[k]
			m.Target, m.TargetOf = wanted[k].Value, wanted[k].Of
			if m.Value != nil && m.Target != nil && *m.Value != 0 {
				m.Ratio = new(*m.Target / *m.Value)
			}
		}
		out = append(out, g)
	}
	return out
}

// conductOf gives a row's measures, always in the same order.
func conductOf(r *Row) []runfile.BenchMeasure {
	done := r.done()
	mean := func(value func(*Review) (float64, bool)) *float64 {
		sum, n := 0.0, 0
		for _, run := range done {
			if x, ok := value(run); ok {
				sum, n = sum+x, n+1
			}
		}
		if n == 0 {
			return nil
		}
		return new(sum / float64(n))
	}
	delegates := r.Strategy != env.StrategySingle
	count := func(n func(*Review) int) *float64 {
		return mean(func(run *Review) (float64, bool) { return float64(n(run)), true })
	}
	var unique *float64
	if r.Unique != nil {
		unique = new(float64(*r.Unique))
	}
	ms := []runfile.BenchMeasure{
		{Name: measureDispatches},
		{Name: measureGroups, Value: count(func(run *Review) int { return run.Groups }), Of: count(func(run *Review) int { return run.GroupsTotal })},
		{Name: measureTurns},
		{Name: measureLastWork},
		{Name: measureFinalized, Value: mean(func(run *Review) (float64, bool) { return float64(run.Turns), run.Answered })},
		{Name: measureUnique, Value: unique},
	}
	if delegates { // of a single call these are not 0: there is no such thing
		ms[0].Value = count(func(run *Review) int { return run.Dispatches })
		ms[2].Value, ms[2].Of = count(func(run *Review) int { return run.WorkerTurns }), count(func(run *Review) int { return run.Turns })
		ms[3].Value = mean(func(run *Review) (float64, bool) { return float64(run.LastWorkerTurn), run.LastWorkerTurn > 0 })
	}
	return ms
}

package eval

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func (e *evaluation) summarize(before float64) runfile.EvalSummary {
	about := e.c.Environment.About()
	s := summarize(e.results)
	s.Environment, s.Warning, s.Model, s.Worker = e.c.Environment.Name(), about.Warning, e.o.Model, e.o.Worker
	s.Strategy, s.Split, s.Seed = e.o.Strategy, e.o.Split, &e.o.Seed
	s.Examples, s.Rollouts, s.Planned = e.o.Examples, e.o.Rollouts, e.o.Examples*e.o.Rollouts
	s.Status = trace.StatusCompleted
	if s.Done < s.Planned {
		s.Status = trace.StatusPartial
		s.Usage.Unfinished, s.Usage.UnfinishedAtMost = e.unfinished()
	}
	s.Seconds = before + e.c.Now().Sub(e.started).Seconds()
	return s
}

// unfinished is what rollouts without a row have cost so far, at least and at most; nil when that is not known.
func (e *evaluation) unfinished() (least, most *money.USD) {
	least, most = new(money.USD), new(money.USD)
	for example := range e.o.Examples {
		for rollout := range e.o.Rollouts {
			if p := (place{example, rollout}); !e.has(p) {
				low, high := spent(e.dir, p)
				least, most = money.Plus(least, low), money.Plus(most, high)
			}
		}
	}
	return least, most
}

// summarize says what the rows alone tell.
func summarize(r *Results) runfile.EvalSummary {
	s := runfile.EvalSummary{Schema: 1, Done: len(r.records), Metrics: map[string]runfile.EvalSpread{},
		StopConditions: map[string]float64{}, ErrorNames: map[string]int{}}
	groups := r.byExample()
	rewards := make([][]float64, len(groups))
	for i, group := range groups {
		rewards[i] = values(group, func(rec *Record) (float64, bool) { return rec.Reward, true })
		s.Tasks = append(s.Tasks, r.task(group, rewards[i]))
	}
	s.Reward = savedrow.Spread(rewards, stats.Unit(0.95))
	for _, name := range r.Metrics() {
		of := make([][]float64, len(groups))
		for i, group := range groups {
			of[i] = values(group, func(rec *Record) (float64, bool) { return r.metric(rec, name) })
		}
		s.Metrics[name] = savedrow.Spread(of, stats.MeanOptions{})
	}
	var stops []string
	for i := range r.records {
		rec := &r.records[i]
		stops = append(stops, rec.Stop)
		addUsage(&s.Usage, rec, i == 0)
		if !rec.OK() {
			s.Errors++
			s.ErrorNames[rec.Error]++
		}
	}
	for _, x := range sharesOf(stops) {
		s.StopConditions[x.name] = x.share
	}
	r.conduct(&s)
	return s
}

// conduct fills in how the rollouts that count went about their tasks.
func (r *Results) conduct(s *runfile.EvalSummary) {
	var zero, over runfile.EvalShare
	var repeated runfile.EvalRepeated
	var lost runfile.EvalCount
	for i := range r.records {
		rec := &r.records[i]
		if !rec.OK() {
			continue
		}
		if none, ok := r.zeroDelegation(rec); ok {
			zero.Of++
			zero.Count += int(indicator(none))
		}
		turns, hasTurns := r.metric(rec, "num_turns")
		if rec.Conduct != nil || hasTurns {
			over.Of++
			over.Count += int(indicator(OverExplored(turns, rec.Conduct)))
		}
		if rec.Conduct != nil {
			repeated.Cells += rec.Conduct.RepeatedErrors
			repeated.Rollouts += int(indicator(rec.Conduct.RepeatedErrors > 0))
			s.NoCells += int(indicator(rec.Conduct.Cells == 0))
			lost.Count += rec.Conduct.DispatchErrors
			lost.Of += rec.Conduct.Dispatches
			s.RepeatedErrors, s.DispatchErrors = &repeated, &lost
		}
	}
	if zero.Of > 0 {
		s.ZeroDelegation = savedrow.Share(zero.Count, zero.Of)
		s.ZeroDelegationRate = &s.ZeroDelegation.Rate
	}
	if over.Of > 0 {
		s.OverExploration = savedrow.Share(over.Count, over.Of)
	}
}

// zeroDelegation reports a rollout that left everything to the policy: by the environment's own word where it has one,
// else by the trace.
func (r *Results) zeroDelegation(rec *Record) (none, known bool) {
	if v, ok := r.metric(rec, "zero_delegation"); ok {
		return v > 0, true
	}
	if n, ok := r.metric(rec, "dispatches"); ok {
		return n == 0, true
	}
	if rec.Conduct != nil {
		return rec.Conduct.Dispatches == 0, true
	}
	return false, false
}

// addUsage books a rollout's usage. first says that nothing was booked yet.
func addUsage(u *runfile.EvalUsage, rec *Record, first bool) {
	if first {
		u.Root.Cost, u.Worker.Cost, u.Total, u.AtMost = new(money.USD), new(money.USD), new(money.USD), new(money.USD)
	}
	for _, role := range []struct {
		sum *runfile.EvalRole
		of  runfile.EvalRole
	}{{&u.Root, rec.Root}, {&u.Worker, rec.Worker}} {
		role.sum.Calls += role.of.Calls
		role.sum.Input += role.of.Input
		role.sum.Output += role.of.Output
		role.sum.Cached += role.of.Cached
		role.sum.Cost = money.Plus(role.sum.Cost, role.of.Cost)
	}
	u.Total, u.AtMost = money.Plus(u.Total, rec.Cost), money.Plus(u.AtMost, rec.AtMost)
}

func values(group []Record, of func(*Record) (float64, bool)) []float64 {
	var all []float64
	for i := range group {
		if v, ok := of(&group[i]); ok && group[i].OK() && !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	return all
}

func (r *Results) task(group []Record, rewards []float64) runfile.EvalTask {
	turns := values(group, func(rec *Record) (float64, bool) { return r.metric(rec, "num_turns") })
	return savedrow.Example(group[0].Example, group[0].Task, rewards, turns, len(group))
}

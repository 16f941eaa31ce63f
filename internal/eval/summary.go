package eval

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Summary is summary.json. Every mean leaves out the rollouts that ended in an error; Errors counts them.
type Summary struct {
	Schema      int          `json:"schema"`
	Status      trace.Status `json:"status"`
	Environment string       `json:"environment"`
	Warning     string       `json:"warning,omitempty"` // of the environment: what must be known before the numbers are believed
	Model       string       `json:"model"`
	Worker      string       `json:"worker,omitempty"` // "": the environment's simulated ones
	Strategy    string       `json:"strategy,omitempty"`
	Split       string       `json:"split,omitempty"`
	Seed        int64        `json:"seed"`
	Examples    int          `json:"examples"`
	Rollouts    int          `json:"rollouts"` // per example
	Planned     int          `json:"planned"`
	Done        int          `json:"done"`   // rollouts with a row, errors included
	Errors      int          `json:"errors"` // of Done
	// ErrorNames says which errors, and how often.
	ErrorNames map[string]int    `json:"error_names,omitempty"`
	Reward     Spread            `json:"reward"`
	Metrics    map[string]Spread `json:"metrics"`
	// ZeroDelegation are the rollouts without one dispatch; null where the rows do not say.
	ZeroDelegation *Proportion `json:"zero_delegation"`
	// ZeroDelegationRate is its rate, for whoever wants just the number.
	ZeroDelegationRate *float64 `json:"zero_delegation_rate"`
	// OverExploration are the rollouts with more than 15 turns, or that were shown known output again at least twice.
	OverExploration *Proportion `json:"over_exploration"`
	// RepeatedErrors are cells that failed with the error of the cell before.
	RepeatedErrors *Repeated `json:"repeated_errors"`
	// DispatchErrors are dispatches without a reply (a worker that timed out, say); null where the rows do not say.
	DispatchErrors *Count `json:"dispatch_errors"`
	// NoCells are rollouts that never ran a cell, for strategies that have cells.
	NoCells        int                `json:"rollouts_without_cells"`
	StopConditions map[string]float64 `json:"stop_conditions"` // shares of Done
	Usage          Usage              `json:"usage"`
	Tasks          []TaskSummary      `json:"tasks"`
	Seconds        float64            `json:"seconds"`
}

// Spread describes values over rollouts.
type Spread struct {
	N    int      `json:"n"`
	Mean *float64 `json:"mean"` // null: no values
	Std  *float64 `json:"std"`  // population
	Min  *float64 `json:"min"`
	Max  *float64 `json:"max"`
	// CI95 is the 95 % interval of the mean with the task as the unit that is drawn; null with CIWhy where there is none.
	CI95  *[2]float64 `json:"ci95"`
	CIHow string      `json:"ci95_method,omitempty"`
	CIWhy string      `json:"ci95_why,omitempty"`
}

// Proportion is a share of rollouts with Wilson's 95 % interval.
type Proportion struct {
	Count int         `json:"count"`
	Of    int         `json:"of"`
	Rate  float64     `json:"rate"`
	CI95  *[2]float64 `json:"ci95"`
}

// Count is so many of so many.
type Count struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Repeated counts repeated errors.
type Repeated struct {
	Cells    int `json:"cells"`
	Rollouts int `json:"rollouts"` // that have any
}

// Usage is what the rollouts consumed, those included that ended in an error.
type Usage struct {
	Root   roleUsage `json:"root"`
	Worker roleUsage `json:"worker"`
	Total  *llm.USD  `json:"total_cost_usd"` // of rollouts with a row; null: not known
	// Unfinished is what rollouts without a row have cost so far; absent when the eval is complete, 0 included.
	Unfinished *llm.USD `json:"unfinished_cost_usd,omitempty"`
}

// TaskSummary is one line of the table of tasks.
type TaskSummary struct {
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

func (e *evaluation) summarize(before float64) Summary {
	about := e.c.Environment.About()
	s := summarize(e.results)
	s.Environment, s.Warning, s.Model, s.Worker = e.c.Environment.Name(), about.Warning, e.o.Model, e.o.Worker
	s.Strategy, s.Split, s.Seed = e.o.Strategy, e.o.Split, e.o.Seed
	s.Examples, s.Rollouts, s.Planned = e.o.Examples, e.o.Rollouts, e.o.Examples*e.o.Rollouts
	s.Status = trace.StatusCompleted
	if s.Done < s.Planned {
		s.Status = trace.StatusPartial
		s.Usage.Unfinished = e.unfinished()
	}
	s.Seconds = before + e.c.Now().Sub(e.started).Seconds()
	return s
}

// unfinished is what rollouts without a row have cost so far; nil when that is not known.
func (e *evaluation) unfinished() *llm.USD {
	sum := new(llm.USD)
	for example := range e.o.Examples {
		for rollout := range e.o.Rollouts {
			if p := (place{example, rollout}); !e.has(p) {
				sum = plus(sum, spent(e.dir, p))
			}
		}
	}
	return sum
}

// summarize says what the rows alone tell.
func summarize(r *Results) Summary {
	s := Summary{Schema: 1, Done: len(r.records), Metrics: map[string]Spread{}, StopConditions: map[string]float64{}, ErrorNames: map[string]int{}}
	groups := r.byExample()
	rewards := make([][]float64, len(groups))
	for i, group := range groups {
		rewards[i] = values(group, func(rec *Record) (float64, bool) { return rec.Reward, true })
		s.Tasks = append(s.Tasks, r.task(group, rewards[i]))
	}
	s.Reward = spread(rewards, stats.Unit(0.95))
	for _, name := range r.Metrics() {
		of := make([][]float64, len(groups))
		for i, group := range groups {
			of[i] = values(group, func(rec *Record) (float64, bool) { return r.metric(rec, name) })
		}
		s.Metrics[name] = spread(of, stats.MeanOptions{})
	}
	var stops []string
	for i := range r.records {
		rec := &r.records[i]
		stops = append(stops, rec.Stop)
		s.Usage.add(rec, i == 0)
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
func (r *Results) conduct(s *Summary) {
	var zero, over Proportion
	var repeated Repeated
	var lost Count
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
		s.ZeroDelegation = zero.done()
		s.ZeroDelegationRate = &s.ZeroDelegation.Rate
	}
	if over.Of > 0 {
		s.OverExploration = over.done()
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

func (p Proportion) done() *Proportion {
	p.Rate = float64(p.Count) / float64(p.Of)
	if v := stats.Wilson(p.Count, p.Of, 0.95); v.OK() {
		p.CI95 = &[2]float64{v.Lo, v.Hi}
	}
	return &p
}

// add books a rollout's usage. first says that nothing was booked yet.
func (u *Usage) add(rec *Record, first bool) {
	if first {
		u.Root.Cost, u.Worker.Cost, u.Total = new(llm.USD), new(llm.USD), new(llm.USD)
	}
	for _, role := range []struct {
		sum *roleUsage
		of  roleUsage
	}{{&u.Root, rec.Root}, {&u.Worker, rec.Worker}} {
		role.sum.Calls += role.of.Calls
		role.sum.Input += role.of.Input
		role.sum.Output += role.of.Output
		role.sum.Cached += role.of.Cached
		role.sum.Cost = plus(role.sum.Cost, role.of.Cost)
	}
	u.Total = plus(u.Total, rec.Cost)
}

// plus adds costs; not known with anything is not known.
func plus(a, b *llm.USD) *llm.USD {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
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

func spread(groups [][]float64, o stats.MeanOptions) Spread {
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	if len(all) == 0 {
		return Spread{CIWhy: "no values"}
	}
	s := stats.Summarize(all)
	out := Spread{N: s.N, Mean: &s.Mean, Std: &s.Std, Min: &s.Min, Max: &s.Max}
	if v := stats.MeanCI(groups, o); v.OK() {
		out.CI95, out.CIHow = &[2]float64{v.Lo, v.Hi}, v.Method
	} else {
		out.CIWhy = v.Why
	}
	return out
}

func (r *Results) task(group []Record, rewards []float64) TaskSummary {
	t := TaskSummary{Example: group[0].Example, Task: group[0].Task, N: len(rewards), Errors: len(group) - len(rewards)}
	if len(rewards) > 0 {
		s := stats.Summarize(rewards)
		t.Mean, t.Std, t.Min, t.Max = &s.Mean, &s.Std, &s.Min, &s.Max
	}
	if turns := values(group, func(rec *Record) (float64, bool) { return r.metric(rec, "num_turns") }); len(turns) > 0 {
		mean := stats.Mean(turns)
		t.Turns = &mean
	}
	return t
}

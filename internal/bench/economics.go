package bench

import (
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
)

// scale is how many times the calls are projected to.
const scale = 10

// Projection is what a configuration's mean run costs, and what it would cost with ten times the calls:
//
//	worker(10 n) = 10 worker(n)
//	root(10 n)   = root(n) + g 9 n
//
// where n is the number of calls and g the root's measured growth per call: the slope of root cost over calls, by least
// squares within each codebase, over all runs of the same root model that are done. Without two different numbers of
// calls on one codebase, or with a slope below 0, the root's cost is taken as unchanged, which is a lower bound.
type Projection struct {
	Config string `json:"config"`
	// Now and Then are the mean run, and the one with ten times the calls.
	Now  Costs `json:"now"`
	Then Costs `json:"then"`
	// Growth is g in USD per call; nil where it could not be measured.
	Growth *float64 `json:"root_growth_per_call_usd"`
	// GrowthRuns is how many runs g was measured over.
	GrowthRuns int `json:"growth_runs"`
}

// Costs are those of one run; nil is unknown.
type Costs struct {
	Calls     float64  `json:"calls"`
	WorkerUSD *float64 `json:"worker_usd"`
	RootUSD   *float64 `json:"root_usd"`
	TotalUSD  *float64 `json:"total_usd"`
	// WorkerShare is the workers' part of the total; nil when that is 0.
	WorkerShare *float64 `json:"worker_share"`
}

func newCosts(calls float64, worker, root *float64) Costs {
	c := Costs{Calls: calls, WorkerUSD: worker, RootUSD: root, TotalUSD: plus(worker, root)}
	if c.TotalUSD != nil && *c.TotalUSD > 0 {
		share := *worker / *c.TotalUSD
		c.WorkerShare = &share
	}
	return c
}

// project computes the projection of every configuration that has calls.
func project(rows []Row) []Projection {
	var out []Projection
	for i := range rows {
		r := &rows[i]
		if r.Done == 0 || r.Strategy == env.StrategySingle || *r.Dispatches == 0 {
			continue
		}
		n := float64(r.Done)
		calls := float64(*r.Dispatches) / n
		p := Projection{Config: r.Config, Now: newCosts(calls, scaled(r.WorkerCostUSD, 1/n), scaled(r.RootCostUSD, 1/n))}
		p.Growth, p.GrowthRuns = growth(rows, r.Root)
		root := p.Now.RootUSD
		if p.Growth != nil {
			more := *p.Growth * (scale - 1) * calls
			root = plus(root, &more)
		}
		p.Then = newCosts(scale*calls, scaled(p.Now.WorkerUSD, scale), root)
		out = append(out, p)
	}
	return out
}

func scaled(x *float64, by float64) *float64 {
	if x == nil {
		return nil
	}
	y := *x * by
	return &y
}

// growth is the slope of a root model's cost over calls, within codebases, and the number of runs it was measured over.
func growth(rows []Row, root string) (*float64, int) {
	by := map[int][]*Review{}
	for i := range rows {
		if rows[i].Root != root || rows[i].Strategy == env.StrategySingle {
			continue
		}
		for _, run := range rows[i].done() {
			if run.RootCostUSD != nil {
				by[run.job.codebase] = append(by[run.job.codebase], run)
			}
		}
	}
	xy, xx, n := 0.0, 0.0, 0
	for _, b := range slices.Sorted(maps.Keys(by)) { // in order: the sum's last bit must not depend on a map
		runs := by[b]
		if len(runs) < 2 {
			continue
		}
		x, y := 0.0, 0.0
		for _, r := range runs {
			x, y = x+float64(r.Dispatches), y+*r.RootCostUSD
		}
		x, y = x/float64(len(runs)), y/float64(len(runs))
		for _, r := range runs {
			dx := float64(r.Dispatches) - x
			xy, xx, n = xy+dx*(*r.RootCostUSD-y), xx+dx*dx, n+1
		}
	}
	if xx == 0 || xy <= 0 {
		return nil, 0
	}
	g := xy / xx
	return &g, n
}

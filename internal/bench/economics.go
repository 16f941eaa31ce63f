package bench

import (
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// scale is how many times the calls are projected to.
const scale = 10

func newCosts(calls float64, worker, root *float64) runfile.BenchCosts {
	c := runfile.BenchCosts{Calls: calls, WorkerUSD: worker, RootUSD: root, TotalUSD: money.Plus(worker, root)}
	if c.TotalUSD != nil && *c.TotalUSD > 0 {
		c.WorkerShare = new(*worker / *c.TotalUSD)
	}
	return c
}

// project computes the projection of every configuration that has calls.
func project(rows []Row) []runfile.BenchProjection {
	var out []runfile.BenchProjection
	for i := range rows {
		r := &rows[i]
		if r.Done == 0 || r.Strategy == env.StrategySingle || *r.Dispatches == 0 {
			continue
		}
		n := float64(r.Done)
		calls := float64(*r.Dispatches) / n
		p := runfile.BenchProjection{Config: r.Config, Now: newCosts(calls, scaled(r.WorkerCostUSD, 1/n), scaled(r.RootCostUSD, 1/n))}
		p.Growth, p.GrowthRuns = growth(rows, r.Root)
		root := p.Now.RootUSD
		if p.Growth != nil {
			root = money.Plus(root, new(*p.Growth*(scale-1)*calls))
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
	return new(*x * by)
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
	return new(xy / xx), n
}

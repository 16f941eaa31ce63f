package llm

import (
	"context"
	"sort"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Meter counts calls by role (root, worker, ...) and model. It is safe for concurrent use; the zero value is ready.
type Meter struct {
	mu   sync.Mutex
	rows map[meterKey]*RoleUsage
}

type meterKey struct{ role, model string }

// RoleUsage is what one role used of one model.
type RoleUsage struct {
	Role      string `json:"role"`
	Model     string `json:"model"`
	Calls     int    `json:"calls"`      // requests made, however they were answered
	FromCache int    `json:"from_cache"` // of Calls, answered from the reply cache
	Failed    int    `json:"failed"`     // of Calls, without a reply in the end
	Attempts  int    `json:"attempts"`   // calls that went to the provider, retries included
	Usage     Usage  `json:"usage"`      // billed, cached replies not included
	Cost      USD    `json:"cost_usd"`   // what is known of the cost
	// Unpriced counts attempts with an unknown cost: replies without a price, and calls that broke off and may have
	// been billed. While it is not 0, the true cost is at least Cost.
	Unpriced int `json:"unpriced"`
	// ModelTime is the sum of the providers' times to answer; calls overlap, so it may exceed the clock's.
	ModelTime time.Duration `json:"model_time_ns"`
}

// CacheHitRate is the share of input tokens that the provider read from its prompt cache, 0 to 1.
func (u RoleUsage) CacheHitRate() float64 {
	if u.Usage.InputTokens == 0 {
		return 0
	}
	return float64(u.Usage.CachedTokens) / float64(u.Usage.InputTokens)
}

// CostKnown is Cost, or nil when some of it is not known.
func (u RoleUsage) CostKnown() *USD {
	if u.Unpriced > 0 {
		return nil
	}
	return &u.Cost
}

// Calls counts requests: it belongs outside of cache and retry.
func (mt *Meter) Calls(m Model, role, name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		resp, err := m.Complete(ctx, r)
		mt.add(role, name, func(u *RoleUsage) {
			u.Calls++
			switch {
			case err != nil:
				u.Failed++
			case resp.FromCache:
				u.FromCache++
			}
		})
		return resp, err
	})
}

// Attempts counts what went to the provider: it belongs inside of cache and retry.
func (mt *Meter) Attempts(m Model, role, name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		resp, err := m.Complete(ctx, r)
		usage, cost := resp.Usage, resp.Cost
		if err != nil {
			e, ok := asError(err)
			usage, cost = e.Usage, e.Cost
			if cost == nil && ok && !e.Uncertain() {
				var nothing USD
				cost = &nothing
			}
			if e.Kind == KindBudget || e.Kind == KindPrice || e.Kind == KindCanceled && e.Cost != nil { // never sent
				return resp, err
			}
		}
		mt.add(role, name, func(u *RoleUsage) {
			u.Attempts++
			u.Usage = u.Usage.Add(usage)
			u.ModelTime += resp.Latency
			if cost == nil {
				u.Unpriced++
			} else {
				u.Cost = money.AddUSD(u.Cost, *cost)
			}
		})
		return resp, err
	})
}

func (mt *Meter) add(role, model string, f func(*RoleUsage)) {
	mt.mu.Lock()
	defer mt.mu.Unlock()
	if mt.rows == nil {
		mt.rows = map[meterKey]*RoleUsage{}
	}
	k := meterKey{role, model}
	if mt.rows[k] == nil {
		mt.rows[k] = &RoleUsage{Role: role, Model: model}
	}
	f(mt.rows[k])
}

// Rows is what was counted, sorted by role and model.
func (mt *Meter) Rows() []RoleUsage {
	mt.mu.Lock()
	defer mt.mu.Unlock()
	rows := make([]RoleUsage, 0, len(mt.rows))
	for _, u := range mt.rows {
		rows = append(rows, *u)
	}
	sort.Slice(rows, func(i, j int) bool {
		return rows[i].Role < rows[j].Role || rows[i].Role == rows[j].Role && rows[i].Model < rows[j].Model
	})
	return rows
}

// Role is the sum over a role's models; Model is "" in it. An empty role sums everything.
func (mt *Meter) Role(role string) RoleUsage {
	sum := RoleUsage{Role: role}
	for _, u := range mt.Rows() {
		if role != "" && u.Role != role {
			continue
		}
		sum.Calls += u.Calls
		sum.FromCache += u.FromCache
		sum.Failed += u.Failed
		sum.Attempts += u.Attempts
		sum.Usage = sum.Usage.Add(u.Usage)
		sum.Cost = money.AddUSD(sum.Cost, u.Cost)
		sum.Unpriced += u.Unpriced
		sum.ModelTime += u.ModelTime
	}
	return sum
}

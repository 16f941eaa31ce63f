package rlm

import (
	"errors"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// RoleUsage sums the calls of one role. Calls answered from a cache are not in it: nothing was paid for them.
type RoleUsage struct {
	Calls                      int
	Input, Output, CachedInput int64
	Cost                       money.USD // what they cost at least
	AtMost                     money.USD // what they can have cost
	UnknownCost                int       // calls whose price is unknown
}

// Add books one paid call.
func (u *RoleUsage) Add(t trace.Usage) {
	u.Calls++
	u.Input += t.InputTokens
	u.Output += t.OutputTokens
	u.CachedInput += t.CachedTokens
	if t.CostPico == nil {
		u.UnknownCost++
		return
	}
	u.Cost = money.AddUSD(u.Cost, money.USD(*t.CostPico))
	u.AtMost = money.AddUSD(u.AtMost, money.USD(*t.Most()))
}

// addRest adds what all has more than some.
func (u *RoleUsage) addRest(all, some RoleUsage) {
	u.Calls += max(0, all.Calls-some.Calls)
	u.Input += max(0, all.Input-some.Input)
	u.Output += max(0, all.Output-some.Output)
	u.CachedInput += max(0, all.CachedInput-some.CachedInput)
	u.Cost = money.AddUSD(u.Cost, max(0, all.Cost-some.Cost))
	u.AtMost = money.AddUSD(u.AtMost, max(0, all.AtMost-some.AtMost))
	u.UnknownCost += max(0, all.UnknownCost-some.UnknownCost)
}

// total adds up costs; nil when any is unknown.
func total(usages ...RoleUsage) *money.USD {
	var sum money.USD
	for _, u := range usages {
		if u.UnknownCost > 0 {
			return nil
		}
		sum = money.AddUSD(sum, u.Cost)
	}
	return &sum
}

// usageOf is what a call consumed, the attempts before the one that succeeded included.
func usageOf(r llm.Response) trace.Usage {
	all := r.Usage.Add(r.Earlier.Usage)
	u := trace.Usage{
		InputTokens: all.InputTokens, CachedTokens: all.CachedTokens, CacheWriteTokens: all.CacheWriteTokens, OutputTokens: all.OutputTokens,
	}
	least, most := r.Earlier.Cost, r.Earlier.Most
	switch {
	case r.Earlier.Unbounded > 0 || r.Cost == nil && r.Most == nil:
		return u
	case r.Cost != nil:
		least = money.AddUSD(least, *r.Cost)
	default:
		most = money.AddUSD(most, *r.Most)
	}
	u.CostPico = new(int64(least))
	if most > 0 {
		u.AtMostPico = new(int64(money.AddUSD(least, most)))
	}
	return u
}

// failedUsage is what a failed call was billed, as far as the provider said: nothing, mostly. A call that broke off after
// it was sent may have been billed without a word: it cost at most what it was bounded to, and an unknown amount, which is
// not zero, where nothing bounds it.
func failedUsage(err error, price *llm.Price) trace.Usage {
	var e *llm.Error
	if !errors.As(err, &e) {
		return trace.Usage{CostPico: new(int64)}
	}
	r := llm.Response{Usage: e.Usage, Cost: e.Cost, Earlier: e.Earlier}
	if e.Cost == nil {
		if e.Usage == (llm.Usage{}) && (!e.Uncertain() || price != nil && price.Free()) {
			r.Cost = new(money.USD)
		}
		r.Most = e.Most
	}
	return usageOf(r)
}

// BilledFailure is what a failed call consumed, or may have; false when it was not billed.
func BilledFailure(err error, price *llm.Price) (trace.Usage, bool) {
	u := failedUsage(err, price)
	return u, billed(u)
}

// billed reports that a call consumed something, or may have.
func billed(u trace.Usage) bool {
	return u.InputTokens > 0 || u.OutputTokens > 0 || u.CostPico == nil || *u.CostPico > 0 || u.AtMostPico != nil
}

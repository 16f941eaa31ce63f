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
	Cost                       money.USD
	UnknownCost                int // calls whose price is unknown
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

func usageOf(r llm.Response) trace.Usage {
	u := trace.Usage{
		InputTokens: r.Usage.InputTokens, CachedTokens: r.Usage.CachedTokens,
		CacheWriteTokens: r.Usage.CacheWriteTokens, OutputTokens: r.Usage.OutputTokens,
	}
	if r.Cost != nil {
		cost := int64(*r.Cost)
		u.CostPico = &cost
	}
	return u
}

// failedUsage is what a failed call was billed, as far as the provider said: nothing, mostly. A call that broke off after
// it was sent may have been billed without a word; its cost is unknown, which is not zero, unless nothing is billed.
func failedUsage(err error, price *llm.Price) trace.Usage {
	var e *llm.Error
	if !errors.As(err, &e) {
		return trace.Usage{CostPico: new(int64)}
	}
	if e.Usage == (llm.Usage{}) && e.Cost == nil {
		if e.Uncertain() && (price == nil || !price.Free()) {
			return trace.Usage{}
		}
		return trace.Usage{CostPico: new(int64)}
	}
	return usageOf(llm.Response{Usage: e.Usage, Cost: e.Cost})
}

// BilledFailure is what a failed call consumed, or may have; false when it was not billed.
func BilledFailure(err error, price *llm.Price) (trace.Usage, bool) {
	u := failedUsage(err, price)
	return u, billed(u)
}

// billed reports that a call consumed something, or may have.
func billed(u trace.Usage) bool {
	return u.InputTokens > 0 || u.OutputTokens > 0 || u.CostPico == nil || *u.CostPico > 0
}

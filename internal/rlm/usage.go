package rlm

import (
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

// BilledFailure is what a failed call consumed, or may have; false when it was not billed.
func BilledFailure(err error, price *llm.Price) (trace.Usage, bool) {
	u := llm.FailedUsage(err, price)
	return u, billed(u)
}

// billed reports that a call consumed something, or may have.
func billed(u trace.Usage) bool {
	return u.InputTokens > 0 || u.OutputTokens > 0 || u.CostPico == nil || *u.CostPico > 0 || u.AtMostPico != nil
}

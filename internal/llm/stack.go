package llm

// StackConfig says which wrappers [Stack] puts around a model.
type StackConfig struct {
	// Cache answers from disk. Defaults to none.
	Cache *Cache
	// Retry configures retrying, which is always there. Defaults to RetryConfig's defaults.
	Retry RetryConfig
	// Budget is reserved from. Defaults to none: nothing is limited.
	Budget *Budget
	// Limiter holds back. Defaults to none.
	Limiter *Limiter
	// Estimator is shared by all stacks of the same model, so that they learn together. Defaults to a new one.
	Estimator *Estimator
}

// Stack wraps an opened model in everything that a run needs, in the one right order (see the package comment). A
// recursion's children call it again with a child of the budget and the same cache, limiter and estimator.
func Stack(h Handle, c StackConfig) Model {
	m := WithPrice(Sound(h.Model), h.Price) // what a client that panics may have been billed is bounded, too
	if c.Limiter != nil {
		m = c.Limiter.Wrap(m, h.Name)
	}
	if c.Budget == nil && h.Price != nil && !h.Price.Free() {
		c.Budget = NewBudget(NoCap) // which tells what each call can cost
	}
	if c.Budget != nil {
		m = WithBudget(m, c.Budget, BudgetConfig{Model: h.Name, Price: h.Price, Estimator: c.Estimator})
	}
	m = withSpan(WithRetry(m, c.Retry), h)
	if c.Cache != nil {
		m = c.Cache.Wrap(m, h.Name)
	}
	return m
}

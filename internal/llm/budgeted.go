package llm

import "context"

// BudgetConfig configures [WithBudget].
type BudgetConfig struct {
	// Model is the full name, for error texts. Defaults to none.
	Model string
	// Price bounds a call's cost. Defaults to unknown: with a capped budget every call is refused.
	Price *Price
	// Estimator bounds a call's input. Defaults to a new one.
	Estimator *Estimator
}

// WithBudget reserves the worst case of every call in b before it starts and settles it after: all input tokens that
// the request can have ([Estimator.UpperBound]) at their dearest rate, and MaxTokens of output. A call that cannot be
// covered fails with [ErrBudget]; see [Budget.ReserveWait] for when it waits instead.
func WithBudget(m Model, b *Budget, c BudgetConfig) Model {
	if c.Estimator == nil {
		c.Estimator = &Estimator{}
	}
	return budgeted{m, b, c}
}

type budgeted struct {
	next Model
	b    *Budget
	c    BudgetConfig
}

func (m budgeted) Complete(ctx context.Context, r Request) (Response, error) {
	if r.MaxTokens <= 0 {
		r.MaxTokens = DefaultMaxTokens
	}
	r = Repair(r)
	var worst USD
	if m.c.Price != nil {
		worst = m.c.Price.WorstCase(m.c.Estimator.UpperBound(r), int64(r.MaxTokens))
	} else if _, capped := m.b.Remaining(); capped {
		return Response{}, &Error{Kind: KindPrice, Model: m.c.Model, Message: "its price is not known, so the budget cannot be kept"}
	}
	reserved := queueing(ctx)
	res, err := m.b.ReserveWait(ctx, worst)
	reserved()
	if err != nil {
		if e, ok := asError(err); ok && e.Model == "" {
			e.Model = m.c.Model
			return Response{}, &e
		}
		return Response{}, err
	}
	defer res.SettleUncertain() // for a panic on the way; the settling below comes first
	resp, err := m.next.Complete(ctx, r)
	if err != nil {
		e, ok := asError(err)
		switch {
		case ok && e.Cost != nil:
			res.Settle(*e.Cost)
		case ok && !e.Uncertain():
			res.Release()
		default:
			res.SettleUncertain()
		}
		return resp, err
	}
	m.c.Estimator.Learn(r, resp.Usage)
	switch {
	case resp.Cost != nil:
		res.Settle(*resp.Cost)
	case m.c.Price != nil:
		res.SettleUncertain()
	default:
		res.Release()
		m.b.unpricedCall()
	}
	return resp, nil
}

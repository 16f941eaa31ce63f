package llm

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/money"
)

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
	return Func(func(ctx context.Context, r Request) (Response, error) {
		if r.MaxTokens <= 0 {
			r.MaxTokens = DefaultMaxTokens
		}
		r = Repair(r)
		var worst money.USD
		if c.Price != nil {
			worst = c.Price.WorstCase(c.Estimator.UpperBound(r), int64(r.MaxTokens))
		} else if _, capped := b.Remaining(); capped {
			return Response{}, &Error{Kind: KindPrice, Model: c.Model, Message: "its price is not known, so the budget cannot be kept"}
		}
		reserved := queueing(ctx)
		res, err := b.ReserveWait(ctx, worst)
		reserved()
		if err != nil {
			if e, ok := asError(err); ok && e.Model == "" {
				e.Model = c.Model
				return Response{}, &e
			}
			return Response{}, err
		}
		if r.Reserved != nil && worst > 0 {
			if err := r.Reserved(worst); err != nil {
				res.Release()
				return Response{}, err
			}
		}
		defer res.SettleUncertain() // for a panic on the way; the settling below comes first
		resp, err := m.Complete(ctx, r)
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
		c.Estimator.Learn(r, resp.Usage)
		switch {
		case resp.Cost != nil:
			res.Settle(*resp.Cost)
		case c.Price != nil:
			res.SettleUncertain()
		default:
			res.Release()
			b.unpricedCall()
		}
		return resp, nil
	})
}

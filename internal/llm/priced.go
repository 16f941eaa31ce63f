package llm

import (
	"cmp"
	"context"

	"github.com/deeprepo/deeprepo/internal/money"
)

// WithPrice fills in Response.Cost from price where the provider did not report a cost itself. A reply without usage
// keeps an unknown cost, unless nothing is billed anyway; with a nil price m is returned as it is. It bounds what a failed
// call can have cost where nobody said it ([Error.Most]).
func WithPrice(m Model, price *Price) Model {
	if price == nil {
		return m
	}
	most := func(r Request) *money.USD {
		return new(price.WorstCase((&Estimator{}).UpperBound(Repair(r)), int64(cmp.Or(max(r.MaxTokens, 0), DefaultMaxTokens))))
	}
	return Func(func(ctx context.Context, r Request) (Response, error) {
		resp, err := m.Complete(ctx, r)
		if err != nil {
			e, ok := asError(err)
			switch {
			case !ok || e.Cost != nil:
				return resp, err
			case e.Usage.OutputTokens > 0 || price.Free():
				e.Cost = new(price.Cost(e.Usage))
			case e.Uncertain() && e.Most == nil:
				e.Most = most(r)
			}
			return resp, &e
		}
		switch {
		case resp.Cost != nil:
		case resp.Usage.InputTokens > 0 || price.Free():
			resp.Cost = new(price.Cost(resp.Usage))
		default:
			resp.Most = most(r)
		}
		return resp, nil
	})
}

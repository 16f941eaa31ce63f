package llm

import (
	"cmp"
	"context"
)

// WithPrice fills in Response.Cost from price where the provider did not report a cost itself. A reply without usage
// keeps an unknown cost, unless nothing is billed anyway; with a nil price m is returned as it is. It bounds what a failed
// call can have cost where nobody said it ([Error.Most]).
func WithPrice(m Model, price *Price) Model {
	if price == nil {
		return m
	}
	return priced{m, *price}
}

type priced struct {
	next  Model
	price Price
}

func (p priced) Complete(ctx context.Context, r Request) (Response, error) {
	resp, err := p.next.Complete(ctx, r)
	if err != nil {
		e, ok := asError(err)
		switch {
		case !ok || e.Cost != nil:
			return resp, err
		case e.Usage.OutputTokens > 0 || p.price.Free():
			cost := p.price.Cost(e.Usage)
			e.Cost = &cost
		case e.Uncertain() && e.Most == nil:
			most := p.price.WorstCase((&Estimator{}).UpperBound(Repair(r)), int64(cmp.Or(max(r.MaxTokens, 0), DefaultMaxTokens)))
			e.Most = &most
		}
		return resp, &e
	}
	if resp.Cost == nil && (resp.Usage.InputTokens > 0 || p.price.Free()) {
		cost := p.price.Cost(resp.Usage)
		resp.Cost = &cost
	}
	return resp, nil
}

package llm

import "context"

// WithPrice fills in Response.Cost from price where the provider did not report a cost itself. A reply without usage
// keeps an unknown cost, unless nothing is billed anyway; with a nil price m is returned as it is.
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
		if e, ok := asError(err); ok && e.Cost == nil && e.Usage.OutputTokens > 0 {
			cost := p.price.Cost(e.Usage)
			e.Cost = &cost
			return resp, &e
		}
		return resp, err
	}
	if resp.Cost == nil && (resp.Usage.InputTokens > 0 || p.price.Free()) {
		cost := p.price.Cost(resp.Usage)
		resp.Cost = &cost
	}
	return resp, nil
}

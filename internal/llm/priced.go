package llm

import "context"

// WithPrice fills in Response.Cost from price where the provider did not report a cost itself. A reply without usage
// keeps an unknown cost, unless nothing is billed anyway; with a nil price m is returned as it is.
func WithPrice(m Model, price *Price) Model {
	if price == nil {
		return m
	}
	return Func(func(ctx context.Context, r Request) (Response, error) {
		resp, err := m.Complete(ctx, r)
		if err != nil {
			if e, ok := asError(err); ok && e.Cost == nil && e.Usage.OutputTokens > 0 {
				e.Cost = new(price.Cost(e.Usage))
				return resp, &e
			}
			return resp, err
		}
		if resp.Cost == nil && (resp.Usage.InputTokens > 0 || price.Free()) {
			resp.Cost = new(price.Cost(resp.Usage))
		}
		return resp, nil
	})
}

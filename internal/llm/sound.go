package llm

import (
	"context"
	"fmt"
)

// Sound turns a panic of m into the error of one call: a defect in a provider's client must not end a run, with all that
// it has paid for, in the middle of its other calls. What the call was billed is not known.
func Sound(m Model) Model {
	return Func(func(ctx context.Context, r Request) (resp Response, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				resp, err = Response{}, &Error{Kind: KindInvalid, Message: fmt.Sprintf("the client of the provider has a defect: %v", fault)}
			}
		}()
		return m.Complete(ctx, r)
	})
}

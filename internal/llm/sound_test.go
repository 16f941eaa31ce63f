package llm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// A client that panics fails its own call, which may have been billed, and no other.
func TestAPanicIsOneCallsError(t *testing.T) {
	budget := llm.NewBudget(money.Dollar)
	price := &llm.Price{Input: money.Dollar, Output: money.Dollar}
	m := llm.Stack(llm.Handle{Name: "x/y", Price: price, Model: llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		var none []int
		return llm.Response{Text: string(rune(none[3]))}, nil
	})}, llm.StackConfig{Budget: budget, Limiter: llm.NewLimiter()})
	_, err := m.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}})
	if llm.KindOf(err) != llm.KindInvalid {
		t.Errorf("error %v", err)
	}
	var e *llm.Error
	if !errors.As(err, &e) || e.Most == nil || *e.Most <= 0 {
		t.Errorf("what the call can have cost is not bounded: %+v", e)
	}
	if r := budget.Report(); r.Uncertain == 0 || r.Reserved != 0 {
		t.Errorf("budget %+v", r)
	}
}

package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What is asked of an error that ended a run has the same answers after a journey.
func TestFailureTravels(t *testing.T) {
	cost := 3 * money.Dollar / 7
	whole := &Error{Kind: KindRateLimit, Model: "a/b", Status: 429, Message: "slow \"down\" <now>", RetryAfter: 3 * time.Second,
		Usage: Usage{InputTokens: 3, OutputTokens: 4}, Cost: &cost, MaybeBilled: true, Most: &cost, Hints: "wait",
		Earlier: Earlier{Attempts: 2, Usage: Usage{InputTokens: 1}, Cost: cost, Unsettled: 1, Most: cost, Unbounded: 1}}
	for name, err := range map[string]error{
		"a call": whole, "wrapped": fmt.Errorf("the root: %w", whole), "joined": errors.Join(whole), "budget": &Error{Kind: KindBudget},
		"cancelled": &Error{Kind: KindCanceled, Err: context.Canceled}, "late": fmt.Errorf("x: %w", context.DeadlineExceeded),
		"bare": context.Canceled, "plain": errors.New("no"), "advice": hint.New("no", "do"), "advised call": hint.Wrap(whole, "other"),
		"empty advice": hint.Wrap(errors.New("no"), ""),
	} {
		if FailureOf(err).Cause() != err {
			t.Errorf("%s: changed before it travelled", name)
		}
		data, jerr := json.Marshal(FailureOf(err))
		if jerr != nil {
			t.Fatal(jerr)
		}
		var f Failure
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		got := f.Cause()
		type answers struct {
			Text, Hint               string
			Advises, Budget, End     bool
			Canceled, Late, Temp, Up bool
			Kind                     Kind
			Call                     Error
		}
		ask := func(err error) answers {
			call, _ := asError(err)
			return answers{err.Error(), hint.Of(err), hint.Advises(err), errors.Is(err, ErrBudget), call.Err != nil,
				errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), call.Temporary(), call.Uncertain(), KindOf(err), call}
		}
		if diff := cmp.Diff(ask(err), ask(got), cmpopts.EquateErrors()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if FailureOf(nil) != nil || (*Failure)(nil).Cause() != nil {
		t.Error("no error became one")
	}
}

package llm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// failing fails with errs in turn and then answers.
func failing(calls *int, errs ...error) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		*calls++
		if *calls <= len(errs) && errs[*calls-1] != nil {
			return Response{}, errs[*calls-1]
		}
		return Response{Text: "ok", Finish: FinishStop}, nil
	})
}

func TestRetry(t *testing.T) {
	e := func(k Kind, after time.Duration) error { return &Error{Kind: k, RetryAfter: after} }
	always := []error{e(KindOverloaded, 0), e(KindOverloaded, 0), e(KindOverloaded, 0), e(KindOverloaded, 0), e(KindOverloaded, 0),
		e(KindOverloaded, 0), e(KindOverloaded, 0)}
	tests := []struct {
		name    string
		errs    []error
		timeout time.Duration
		calls   int
		ok      bool
		took    time.Duration // with Rand = 0.5
	}{
		{name: "first try", calls: 1, ok: true},
		{name: "connection, then good", errs: always[:1], calls: 2, ok: true, took: 250 * time.Millisecond},
		{name: "doubling", errs: []error{e(KindConnection, 0), e(KindTruncated, 0), e(KindOverloaded, 0)}, calls: 4, ok: true, took: 250*time.Millisecond + 500*time.Millisecond + time.Second},
		{name: "Retry-After", errs: []error{e(KindRateLimit, 20*time.Second)}, calls: 2, ok: true, took: 20*time.Second + 250*time.Millisecond/4},
		{name: "too long a Retry-After", errs: []error{e(KindRateLimit, time.Hour)}, calls: 1},
		{name: "attempts are capped", errs: always, calls: 6, took: 250 * time.Millisecond * (1 + 2 + 4 + 8 + 16)},
		{name: "not worth it: auth", errs: []error{e(KindAuth, 0)}, calls: 1},
		{name: "not worth it: quota", errs: []error{e(KindQuota, 0)}, calls: 1},
		{name: "not worth it: bad request", errs: []error{e(KindBadRequest, 0)}, calls: 1},
		{name: "not worth it: budget", errs: []error{e(KindBudget, 0)}, calls: 1},
		{name: "not worth it: empty", errs: []error{e(KindEmpty, 0)}, calls: 1},
		{name: "not ours", errs: []error{errors.New("x")}, calls: 1},
		{name: "deadline before the wait is over", errs: []error{e(KindRateLimit, 20*time.Second)}, timeout: 10 * time.Second, calls: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if tt.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.timeout)
					defer cancel()
				}
				calls, notes := 0, 0
				m := WithRetry(failing(&calls, tt.errs...), RetryConfig{Rand: func() float64 { return 0.5 }, Notify: func(n Retrying) {
					notes++
					if n.Attempt != notes || n.Err == nil {
						t.Errorf("notice %+v is not number %d", n, notes)
					}
				}})
				start := time.Now()
				_, err := m.Complete(ctx, Request{})
				if (err == nil) != tt.ok || calls != tt.calls || time.Since(start) != tt.took {
					t.Errorf("error %v after %d calls and %v; want ok %v, %d calls, %v", err, calls, time.Since(start), tt.ok, tt.calls, tt.took)
				}
				if notes != calls-1 {
					t.Errorf("%d notices of %d waits", notes, calls-1)
				}
			})
		})
	}
}

// TestRetryEndsWithContext: a canceled run does not sit out its backoff.
func TestRetryEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		m := WithRetry(failing(&calls, &Error{Kind: KindRateLimit, RetryAfter: time.Minute}), RetryConfig{})
		go func() { time.Sleep(time.Second); cancel() }()
		start := time.Now()
		_, err := m.Complete(ctx, Request{})
		if KindOf(err) != KindRateLimit || calls != 1 || time.Since(start) != time.Second {
			t.Errorf("error %v after %d calls and %v", err, calls, time.Since(start))
		}
	})
}

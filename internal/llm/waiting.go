package llm

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// waiting is a call's account of the time that it has waited for its provider, over all its attempts. [WithRetry] puts it
// into the context, for the wrappers below that make the call wait.
type waiting struct {
	patience time.Duration
	notify   func(Retrying)
	started  time.Time

	attempt atomic.Int64
	queued  atomic.Int64 // nanoseconds behind calls of the same run, which is not the provider's doing
}

type waitingKey struct{}

// waitingOf is the account in ctx; nil: the call waits for as long as ctx lets it.
func waitingOf(ctx context.Context) *waiting {
	w, _ := ctx.Value(waitingKey{}).(*waiting)
	return w
}

// queueing says that the call now waits for others of the same run, until the function is called.
func queueing(ctx context.Context) func() {
	w, from := waitingOf(ctx), time.Now()
	return func() {
		if w != nil {
			w.queued.Add(int64(time.Since(from)))
		}
	}
}

// waited is how long the call has waited for its provider.
func (w *waiting) waited() time.Duration {
	return time.Since(w.started) - time.Duration(w.queued.Load())
}

// bears reports whether the call may wait for so much longer. A call without an account may.
func (w *waiting) bears(wait time.Duration) bool { return w == nil || w.waited()+wait <= w.patience }

// tell announces a wait of the attempt that is being made.
func (w *waiting) tell(err error, wait time.Duration) {
	if w != nil && w.notify != nil {
		w.notify(Retrying{Attempt: int(w.attempt.Load()), Err: err, Wait: wait})
	}
}

// impatient is e, the error of a call that would have to wait for longer than it may.
func (w *waiting) impatient(e Error, wait time.Duration) *Error {
	if e.RetryAfter > 0 {
		e.Message = fmt.Sprintf("%s; it asks to wait %s, and a call waits %s at most", e.text(), round(wait), w.patience)
		e.Hints = fmt.Sprintf("`deeprepo resume` continues later; --patience %s would wait", round(w.waited()+wait+time.Second))
		return &e
	}
	e.Message = fmt.Sprintf("%s; given up after %s, and a call waits %s at most", e.text(), round(w.waited()), w.patience)
	if e.Hints == "" {
		e.Hints = "`deeprepo resume` continues later; --patience lets a call wait longer"
	}
	return &e
}

func round(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

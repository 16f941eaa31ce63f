package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// Limits bound how long one exchange with a server, a request and its reply, may take.
//
// Whole replies (chat and completions) are announced only when the model has written them, so their silence says nothing,
// and only Call ends it. Streamed replies (Anthropic) begin at once and carry a sign of life every few seconds, even while
// the model thinks.
type Limits struct {
	// Connect is the longest time until a connection is ready for the request. Defaults to 10 s.
	Connect time.Duration
	// Begin is the longest time until a streamed reply begins. Defaults to a fifth of Call, and at least 2 min.
	Begin time.Duration
	// Idle is the longest silence within a reply that has begun. Defaults to a fifth of Call, and at least 2 min.
	Idle time.Duration
	// Call is the longest time for everything, however slowly the bytes come. Defaults to 10 min.
	Call time.Duration
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit     *time.Duration
		otherwise time.Duration
	}{
		{&l.Connect, 10 * time.Second}, {&l.Call, 10 * time.Minute},
		{&l.Begin, max(2*time.Minute, l.Call/5)}, {&l.Idle, max(2*time.Minute, l.Call/5)},
	} {
		if *d.limit <= 0 {
			*d.limit = d.otherwise
		}
	}
	return l
}

// Bytes of a reply. A token stands for about four bytes of code or prose; JSON escapes and thinking that is sent twice
// multiply that, and a stream wraps every token in an event.
const (
	mostReply     = 16 << 20  // of any reply that is kept
	mostWire      = 256 << 20 // of any stream
	replyBase     = 256 << 10
	replyPerToken = 64
	wireBase      = 1 << 20
	wirePerToken  = 1 << 10
)

// exchange is one request for a completion on its way. The context carries it to the guard and back. Defaults to a
// request that is neither streamed nor bounded by tokens, such as for a list of models.
type exchange struct {
	streamed bool
	tokens   int64 // that the reply may have; 0: not known
	// sent: the request went out whole, so that the provider may have worked on it, and may bill it.
	sent atomic.Bool
}

type exchangeKey struct{}

// begin gives ctx an exchange for a reply of at most that many tokens.
func begin(ctx context.Context, streamed bool, tokens int64) context.Context {
	return context.WithValue(ctx, exchangeKey{}, &exchange{streamed: streamed, tokens: tokens})
}

func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// reply is the most bytes of a reply that are kept: of a whole one, or of the texts that a stream's events carry.
func (x *exchange) reply() int64 { return x.most(replyBase, replyPerToken, mostReply) }

// wire is the most bytes that the server may send.
func (x *exchange) wire() int64 {
	if !x.streamed {
		return x.reply()
	}
	return x.most(wireBase, wirePerToken, mostWire)
}

func (x *exchange) most(base, perToken, most int64) int64 {
	if x.tokens <= 0 || x.tokens > most/perToken {
		return most
	}
	return min(base+x.tokens*perToken, most)
}

// tooLong is the error for a reply of more than that many bytes.
func (x *exchange) tooLong(bytes int64) *llm.Error {
	e := &llm.Error{Kind: llm.KindInvalid, Message: fmt.Sprintf("the reply was given up after %d kB", bytes>>10), MaybeBilled: true,
		Hints: "the server may be broken, or hostile"}
	if x.tokens > 0 {
		e.Message += fmt.Sprintf(", far more than the %d tokens that were asked for", x.tokens)
	}
	return e
}

// watch ends an exchange that takes longer than its limits.
type watch struct {
	limits Limits
	x      *exchange
	cancel context.CancelCauseFunc
	ctx    context.Context
	whole  *time.Timer

	mu    sync.Mutex
	late  *llm.Error // what is wrong when silent fires
	quiet *time.Timer
}

// watched starts the clocks of an exchange. Its end must be called.
func (l Limits) watched(ctx context.Context, x *exchange, address string) *watch {
	w := &watch{limits: l, x: x}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.whole = time.AfterFunc(l.Call, func() {
		w.cancel(&llm.Error{Kind: llm.KindTimeout, Message: fmt.Sprintf("no complete reply within %s", l.Call),
			Hints: "allow a call more time with --timeout, or ask for shorter replies"})
	})
	w.late = &llm.Error{Kind: llm.KindConnection, Message: fmt.Sprintf("%s: no connection within %s", address, l.Connect)}
	w.quiet = time.AfterFunc(l.Connect, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.cancel(w.late)
	})
	return w
}

// trace tells the watch how far the request is.
func (w *watch) trace() context.Context {
	return httptrace.WithClientTrace(w.ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			if w.x.streamed {
				w.expect(w.limits.Begin, "the reply did not begin within %s")
			} else {
				w.quiet.Stop()
			}
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				w.x.sent.Store(true)
			}
		},
	})
}

// expect gives the server so much time for its next sign of life.
func (w *watch) expect(within time.Duration, problem string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.late = &llm.Error{Kind: llm.KindTimeout, Message: fmt.Sprintf(problem, within)}
	w.quiet.Reset(within)
}

// alive is a sign of life within a reply.
func (w *watch) alive() { w.quiet.Reset(w.limits.Idle) }

// overdue is the error of an exchange that was ended by the watch, else nil.
func (w *watch) overdue() error {
	e, ok := errors.AsType[*llm.Error](context.Cause(w.ctx))
	if !ok {
		return nil
	}
	late := *e
	late.MaybeBilled = w.x.sent.Load()
	return &late
}

// end stops the clocks.
func (w *watch) end() {
	w.whole.Stop()
	w.quiet.Stop()
	w.cancel(nil)
}

// body is a reply's body: watched, and capped in all and for each line of a stream, which the SDKs hold in memory.
type body struct {
	io.ReadCloser
	w          *watch
	left, line int64
}

// broken is a read that failed within a body.
type broken struct{ error }

func (b broken) Unwrap() error { return b.error }

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.w.alive()
		b.left -= int64(n)
		if b.left < 0 {
			return 0, b.w.x.tooLong(b.w.x.wire())
		}
		if b.w.x.streamed && b.overlong(p[:n]) {
			return 0, b.w.x.tooLong(b.w.x.reply())
		}
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	if late := b.w.overdue(); late != nil {
		return n, late
	}
	return n, broken{err}
}

// overlong reports that a line went on for too long in what was read last.
func (b *body) overlong(read []byte) bool {
	most := b.w.x.reply()
	for _, c := range read {
		if b.line++; c == '\n' {
			b.line = 0
		} else if b.line > most {
			return true
		}
	}
	return false
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.w.end()
	return err
}

package fleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Output is what an item gave. Settled says that the same item gives the same again.
type Output struct {
	Body    []byte
	Settled bool
}

// Handler does items of one kind. Its error is a fault of the machine, or the context's own: somebody else gets the item.
type Handler func(ctx context.Context, i *Item) (Output, error)

// Work is what a worker offers.
type Work struct {
	// Name is what people call it; unique in the fleet.
	Name string
	// Slots is how many items it does at once.
	Slots int
	// Handlers are the kinds that it does.
	Handlers map[Kind]Handler
	// Meter and Log default to nothing.
	Meter Meter
	Log   *slog.Logger
}

// worker is a Work that runs.
type worker struct {
	Work
	c       *Conn
	taking  context.Context // ended: no more items
	started time.Time

	mu      sync.Mutex
	running map[string]time.Time                         // keys of items
	stops   map[string]map[*Item]context.CancelCauseFunc // of running items, by their runs
	done    map[Kind]int64
	faults  int64
}

// Work does items until ctx ends or the worker is told to drain, and then ends those that it has: nothing is dropped. Its
// error says why it could not begin, that somebody else has its name, or that the hub does not know its key any more.
func (c *Conn) Work(ctx context.Context, offer Work) error {
	if offer.Log == nil {
		offer.Log = slog.New(slog.DiscardHandler)
	}
	if offer.Meter == nil {
		offer.Meter = noMeter{}
	}
	w := &worker{Work: offer, c: c, taking: ctx, started: time.Now(), running: map[string]time.Time{}, done: map[Kind]int64{},
		stops: map[string]map[*Item]context.CancelCauseFunc{}}
	if err := w.enlist(ctx); err != nil {
		return err
	}
	taking, stop := context.WithCancel(ctx) // new items
	defer stop()
	defer context.AfterFunc(c.lost, stop)()
	w.taking = taking
	beating, still := context.WithCancel(context.WithoutCancel(ctx)) // as long as items run
	var telling, slots sync.WaitGroup
	telling.Go(func() { w.report(beating) })
	telling.Go(func() { w.obey(taking, stop) })
	heard, err := c.nc.Subscribe(stopSubject+"*", func(m *nats.Msg) { w.stopRun(strings.TrimPrefix(m.Subject, stopSubject)) })
	if err != nil {
		w.Log.Warn("a coordinator that is interrupted cannot tell this worker", "error", err)
	} else {
		defer func() { _ = heard.Unsubscribe() }()
	}
	for kind, handle := range w.Handlers {
		consumer, err := c.js.Consumer(ctx, workStream, string(kind))
		if err != nil {
			still()
			stop()
			return fmt.Errorf("the fleet's queue of %s: %w", kind, err)
		}
		for range w.Slots {
			slots.Go(func() { w.slot(taking, consumer, kind, handle) })
		}
	}
	slots.Wait()
	stop()
	still()
	telling.Wait()
	if c.lost.Err() != nil {
		return context.Cause(c.lost)
	}
	w.leave()
	return nil
}

// slot takes items one after the other.
func (w *worker) slot(ctx context.Context, consumer jetstream.Consumer, kind Kind, handle Handler) {
	for ctx.Err() == nil {
		// A server that goes takes the request with it: one that gives no sign for a second is asked again.
		asking, stop := context.WithTimeout(ctx, 20*time.Second)
		batch, err := consumer.Fetch(1, jetstream.FetchContext(asking), jetstream.FetchHeartbeat(500*time.Millisecond))
		if err == nil {
			for m := range batch.Messages() {
				w.do(context.WithoutCancel(ctx), m, kind, handle)
			}
			err = batch.Error()
		}
		stop()
		if err != nil && ctx.Err() == nil && !quiet(err) {
			w.Log.Warn("no items", "error", err)
			pause(ctx, 500*time.Millisecond)
		}
	}
}

// quiet reports what is no trouble: nothing came in time, or a server is away, which the connection says itself.
func quiet(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoHeartbeat)
}

// do does one item: its result is stored before it is acknowledged.
func (w *worker) do(ctx context.Context, m jetstream.Msg, kind Kind, handle Handler) {
	about, err := m.Metadata()
	h := m.Headers()
	key, token, reply := h.Get(headKey), h.Get(headToken), h.Get(headReply)
	if err != nil || key == "" || len(key) > 64 || token == "" {
		w.Log.Warn("an item that nobody of ours sent", "subject", m.Subject())
		_ = m.Term() // it comes again otherwise, which does no harm
		return
	}
	ctx, span := w.workSpan(ctx, h, kind, key, about.NumDelivered)
	defer span.End()
	beat, stop := context.WithCancel(ctx)
	defer stop()
	go w.beat(beat, m)
	w.begin(kind, key)
	defer w.end(kind, key, time.Now())
	subject := resultSubject + string(kind) + "." + key
	r, known := w.known(ctx, subject)
	switch {
	case known:
		span.AddEvent("known")
	case about.NumDelivered > MostDeliveries:
		r = result{status: statusDead, reason: fmt.Sprintf("handed out %d times, and no worker came back", MostDeliveries)}
	default:
		item := &Item{Kind: kind, Key: key, Last: about.NumDelivered >= MostDeliveries, c: w.c,
			run: runOf(m.Subject()), worker: w.Name, silent: stop}
		switch r, err = w.attempt(ctx, m, item, handle); {
		case errors.Is(err, ErrFenced):
			w.Log.Warn("an item was taken over by another worker while this one was silent", "key", key)
			outcomeOf(span, "taken over")
			return
		case errors.Is(err, errStopped):
			_ = m.Term() // its coordinator took it back
			outcomeOf(span, "taken back")
			return
		case err != nil:
			w.fault(kind, key, err)
			span.AddEvent("fault")
			outcomeOf(span, "fault")
			if err := m.NakWithDelay(time.Second); err != nil { // else it comes again when AckWait is over
				w.Log.Warn("an item could not be given back", "key", key, "error", err)
			}
			return
		}
	}
	r.key, r.worker = key, w.Name
	if r.status == statusDead {
		subject = deadSubject + string(kind) + "." + key
		span.AddEvent("dead")
		w.Log.Warn("an item is dead", "kind", kind, "key", key, "reason", r.reason)
	}
	if !w.store(ctx, r, subject, reply, token) {
		outcomeOf(span, "not stored")
		return // it is delivered again
	}
	outcomeOf(span, string(r.status))
	if err := m.Ack(); err != nil {
		w.Log.Warn("an item was done and could not be acknowledged; its result is stored", "key", key, "error", err)
	}
	w.count(kind)
}

// attempt has an item's handler do it. The error is a fault after which somebody else shall try, ErrFenced or errStopped.
func (w *worker) attempt(ctx context.Context, m jetstream.Msg, i *Item, handle Handler) (r result, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer w.stoppable(i, stop)()
	i.Payload, err = w.c.payload(ctx, m.Headers(), m.Data())
	if err == nil && keyOf(i.Kind, w.c.state.Build, i.Payload) != i.Key {
		return result{status: statusDead, reason: "its payload is not what its key says"}, nil
	}
	var out Output
	if err == nil {
		out, err = guarded(ctx, i, handle)
	}
	journal := ""
	if i.journal != nil && context.Cause(ctx) == nil && !errors.Is(err, ErrFenced) {
		var fenced error
		if journal, fenced = i.journal.end(); fenced != nil {
			return result{}, fenced
		}
	}
	switch {
	case context.Cause(ctx) != nil:
		if i.journal != nil {
			_ = i.journal.Flush() // for who resumes the run
		}
		return result{}, context.Cause(ctx)
	case errors.Is(err, ErrFenced):
		return result{}, err
	case err == nil:
		return result{status: statusDone, settled: out.Settled, body: out.Body, journal: journal}, nil
	case i.Last:
		return result{status: statusDead, reason: fmt.Sprintf("worker %s: %v", i.worker, err), hint: i.advice(err)}, nil
	}
	return result{}, err
}

// errStopped ends items whose coordinator does not want them any more.
var errStopped = errors.New("the item's coordinator has stopped")

// stoppable has an item end when its run is stopped, until the function that it returns is called.
func (w *worker) stoppable(i *Item, stop context.CancelCauseFunc) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stops[i.run] == nil {
		w.stops[i.run] = map[*Item]context.CancelCauseFunc{}
	}
	w.stops[i.run][i] = stop
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		stop(nil)
		if delete(w.stops[i.run], i); len(w.stops[i.run]) == 0 {
			delete(w.stops, i.run)
		}
	}
}

// stopRun ends what runs of a run.
func (w *worker) stopRun(run string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, stop := range w.stops[run] {
		stop(errStopped)
	}
}

// guarded has a handler that panics fail as one that returns an error.
func guarded(ctx context.Context, i *Item, handle Handler) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the worker panicked: %v", p)
		}
	}()
	return handle(ctx, i)
}

// known is the settled result of an item that somebody did before, an earlier delivery's included.
func (w *worker) known(ctx context.Context, subject string) (result, bool) {
	m, err := w.c.last(ctx, resultStream, subject)
	if err != nil {
		return result{}, false
	}
	body, err := w.c.payload(ctx, m.Header, m.Data)
	if err != nil {
		return result{}, false
	}
	r, _, err := opened(m.Header, body, w.c.signers(ctx))
	return r, err == nil && r.settled && r.status == statusDone && strings.HasSuffix(subject, "."+r.key)
}

// store keeps a result, and then tells the coordinator. It reports whether the hub has it.
func (w *worker) store(ctx context.Context, r result, subject, reply, token string) bool {
	for wait, tries := 100*time.Millisecond, 0; ; wait, tries = min(2*wait, 5*time.Second), tries+1 {
		err := w.keep(ctx, &r, subject, token)
		if err == nil {
			break
		}
		w.Log.Warn("a result could not be stored; trying again", "key", r.key, "error", err)
		if tries == 20 || w.c.nc.IsClosed() || !pause(ctx, wait) {
			return false
		}
	}
	if m, err := r.seal(reply, token, w.c.key); err == nil {
		_ = w.c.nc.PublishMsg(m) // a notice: whoever misses it looks into the stream
	}
	return true
}

// keep stores a result once.
func (w *worker) keep(ctx context.Context, r *result, subject, token string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	object, err := w.c.lay(ctx, "result-"+r.key, r.body)
	if err != nil {
		return err
	}
	r.object = object
	m, err := r.seal(subject, token, w.c.key)
	if err != nil {
		return err
	}
	_, err = w.c.js.PublishMsg(ctx, m)
	return err
}

// beat says that an item is still worked on.
func (w *worker) beat(ctx context.Context, m jetstream.Msg) {
	tick := time.NewTicker(w.c.state.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = m.InProgress() // one that is missed is followed by another
		case <-ctx.Done():
			return
		}
	}
}

// pause waits, and reports whether ctx still lives.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

package fleet

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// DeadError is what became of an item that nobody could finish.
type DeadError struct{ Reason string }

func (e *DeadError) Error() string { return "no worker of the fleet could finish it: " + e.Reason }

// Pool is a coordinator's side of a fleet: items of one kind in, results out. It is safe for concurrent use.
type Pool struct {
	c    *Conn
	kind Kind
	run  string
	// resumes says that an earlier execution of the same run may have sent the same items.
	resumes bool
	sub     *nats.Subscription
	stop    context.CancelFunc
	over    <-chan struct{}
	wg      sync.WaitGroup
	// sweep is how long an item is waited for before its result is looked for.
	sweep time.Duration

	halting sync.Mutex

	mu   sync.Mutex
	open map[string]*call
	dead map[string]error

	forged atomic.Int64
	by     sync.Map // worker to *atomic.Int64: items done
}

// call is an item that is waited for.
type call struct {
	key, token string
	trace      string // see traceparent
	payload    []byte
	sent       time.Time // zero until a server has it
	waiting    int
	done       chan struct{}
	body       []byte
	journal    string // its digest
	err        error
}

// Pool opens a coordinator's side.
func (c *Conn) Pool(kind Kind) (*Pool, error) { return c.pool(kind, rand.Text(), false) }

// Resumable opens the coordinator's side of a run that has a name of its own: what an earlier execution of it sent, and what
// became of that, is found again.
func (c *Conn) Resumable(kind Kind, run string) (*Pool, error) {
	if !plainName(run) {
		return nil, fmt.Errorf("%q is no name for a run on a fleet", run)
	}
	return c.pool(kind, run, true)
}

func (c *Conn) pool(kind Kind, run string, resumes bool) (*Pool, error) {
	ctx, stop := context.WithCancel(context.Background())
	p := &Pool{c: c, kind: kind, run: run, resumes: resumes, stop: stop, over: ctx.Done(), sweep: 2 * time.Second,
		open: map[string]*call{}, dead: map[string]error{}}
	var err error
	if p.sub, err = c.nc.Subscribe(doneSubject+p.run, func(m *nats.Msg) { p.arrived(ctx, m.Header, m.Data, true) }); err != nil {
		stop()
		return nil, err
	}
	// A slow coordinator loses notices, not results: it looks for them.
	if err := p.sub.SetPendingLimits(100_000, 256<<20); err != nil {
		stop()
		return nil, err
	}
	p.wg.Go(func() { p.sweeping(ctx) })
	return p, nil
}

// Close takes back the items that nobody waits for any more, and has workers stop those that run: an interrupted command
// must not go on spending. Results that still come are kept by the hub.
func (p *Pool) Close() error {
	p.stop()
	p.wg.Wait()
	return errors.Join(p.sub.Unsubscribe(), p.halt())
}

// halt takes back what waits, and then has workers stop what runs, so that nobody is handed what was stopped.
func (p *Pool) halt() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	p.halting.Lock()
	defer p.halting.Unlock()
	return errors.Join(p.takeBack(ctx), p.c.nc.Publish(stopSubject+p.run, nil), p.c.nc.FlushWithContext(ctx))
}

// takeBack removes what the queue holds of the run, item by item: to purge its subjects has the server (2.15.2) count what runs
// for acknowledged, and with it older items of others, which then are handed to nobody again.
func (p *Pool) takeBack(ctx context.Context) error {
	s, err := p.c.stream(ctx, workStream)
	if err != nil {
		return err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(workSubject+string(p.kind)+"."+p.run+".>"))
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(64)
	for subject := range info.State.Subjects {
		g.Go(func() error {
			m, err := s.GetLastMsgForSubject(ctx, subject)
			if err == nil {
				err = s.DeleteMsg(ctx, m.Sequence)
			}
			if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
				return nil // it was done meanwhile
			}
			return err
		})
	}
	return g.Wait()
}

// Supersede stops what an earlier execution of the run sent, where that is not this item: of two with one journal each would
// take it from the other. It is for runs of one item.
func (p *Pool) Supersede(ctx context.Context, payload []byte, name string) error {
	w := &call{key: keyOf(p.kind, p.c.state.Build, payload)}
	return p.journaling(ctx, name, func(_ string, is written) error {
		waits, err := p.held(ctx, workStream, p.subject(w))
		if waits || err != nil {
			return err
		}
		done, err := p.held(ctx, resultStream, resultSubject+string(p.kind)+"."+w.key)
		if done || err != nil {
			return err
		}
		if err = p.halt(); err == nil && is.last > 0 && !is.shut {
			p.settle(ctx, name) // who is stopped writes down what it had
		}
		return err
	})
}

// Workers says who finished how many items.
func (p *Pool) Workers() map[string]int64 {
	by := map[string]int64{}
	p.by.Range(func(name, n any) bool {
		by[name.(string)] = n.(*atomic.Int64).Load()
		return true
	})
	return by
}

// Forged counts results that were not believed.
func (p *Pool) Forged() int64 { return p.forged.Load() }

// Do has an item done by whoever is free and returns its result. The same payload twice is one item. The error is the
// context's own, a *DeadError, that the payload is too large, or that the hub does not know the key any more.
func (p *Pool) Do(ctx context.Context, payload []byte) ([]byte, error) {
	w, err := p.do(ctx, payload)
	if err != nil {
		return nil, err
	}
	return w.body, w.err
}

func (p *Pool) do(ctx context.Context, payload []byte) (*call, error) {
	key := keyOf(p.kind, p.c.state.Build, payload)
	ctx, span := itemSpan(ctx, p.kind, key, len(payload))
	w, err := p.await(ctx, key, payload)
	endItem(span, w, err)
	return w, err
}

func (p *Pool) await(ctx context.Context, key string, payload []byte) (*call, error) {
	p.mu.Lock()
	if err := p.dead[key]; err != nil {
		p.mu.Unlock()
		return nil, err
	}
	w := p.open[key]
	fresh := w == nil
	if fresh {
		w = &call{key: key, token: p.token(key), trace: traceparent(ctx), payload: payload, done: make(chan struct{})}
		p.open[key] = w
	}
	w.waiting++
	p.mu.Unlock()
	if fresh {
		if err := p.begin(ctx, w); err != nil {
			_ = p.finish(w, nil, "", err) // else it has its result
		}
	}
	select {
	case <-w.done:
		return w, nil
	case <-ctx.Done():
	case <-p.over:
	case <-p.c.lost.Done():
	}
	p.mu.Lock()
	if w.waiting--; w.waiting == 0 && p.open[key] == w {
		delete(p.open, key)
	}
	p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, cmp.Or(context.Cause(p.c.lost), context.Canceled)
}

// token is what only who is handed an item knows beside its coordinator.
func (p *Pool) token(key string) string {
	seed, err := p.c.key.Seed()
	if !p.resumes || err != nil {
		return rand.Text()
	}
	mac := hmac.New(sha256.New, seed) // another execution of the run must know it again
	mac.Write([]byte(p.run + "." + key))
	return hex.EncodeToString(mac.Sum(nil))
}

// begin has an item done, unless an earlier execution of the run saw to that. That nobody could finish it then is forgotten.
func (p *Pool) begin(ctx context.Context, w *call) error {
	for p.resumes {
		if p.taken(ctx, w, resultStream, resultSubject) {
			return nil
		}
		held, err := p.held(ctx, workStream, p.subject(w))
		if err == nil && held {
			p.mu.Lock()
			w.sent = time.Now()
			p.mu.Unlock()
			return nil
		}
		if err == nil {
			err = p.c.purge(ctx, deadStream, deadSubject+string(p.kind)+"."+w.key)
		}
		if err == nil || p.c.denied.Err() != nil {
			break
		}
		if !pause(ctx, 500*time.Millisecond) {
			return ctx.Err()
		}
	}
	return p.send(ctx, w)
}

func (p *Pool) subject(w *call) string {
	return workSubject + string(p.kind) + "." + p.run + "." + w.key
}

// send puts an item into the queue, however long a server is away.
func (p *Pool) send(ctx context.Context, w *call) error {
	object, err := p.c.lay(ctx, "item-"+w.key, w.payload)
	if err != nil {
		return err
	}
	m := nats.NewMsg(p.subject(w))
	if m.Data = w.payload; object != "" {
		m.Data = nil
		m.Header.Set(headObject, object)
	}
	m.Header.Set(headKey, w.key)
	m.Header.Set(headToken, w.token)
	m.Header.Set(headReply, doneSubject+p.run)
	if w.trace != "" {
		m.Header.Set(headTrace, w.trace)
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		once, cancel := p.c.within(ctx, 5*time.Second)
		_, err := p.c.js.PublishMsg(once, m)
		cancel()
		if err == nil {
			p.mu.Lock()
			w.sent = time.Now()
			p.mu.Unlock()
			return nil
		}
		if errors.Is(err, nats.ErrMaxPayload) || p.c.denied.Err() != nil {
			return p.c.why(err)
		}
		select {
		case <-time.After(pause):
		case <-w.done: // an earlier attempt had arrived
			return nil
		case <-ctx.Done():
			return fmt.Errorf("%w; the fleet took nothing: %w", ctx.Err(), err)
		case <-p.over:
			return context.Canceled
		}
	}
}

// finish ends an item and reports whether this did: it ends once.
func (p *Pool) finish(w *call, body []byte, journal string, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[w.key] != w {
		return false
	}
	delete(p.open, w.key)
	if _, dead := errors.AsType[*DeadError](err); dead {
		p.dead[w.key] = err
	}
	w.body, w.journal, w.err = body, journal, err
	close(w.done)
	return true
}

// arrived takes what claims to be a result. Of a stored one it is no sign of a forgery that it is not ours: an earlier run
// may have had the same item. It reports whether the item is done.
func (p *Pool) arrived(ctx context.Context, h nats.Header, data []byte, notice bool) bool {
	p.mu.Lock()
	w := p.open[h.Get(headKey)]
	p.mu.Unlock()
	if w == nil {
		return true
	}
	body, err := p.c.payload(ctx, h, data)
	if err != nil {
		return false // it is looked for again
	}
	r, proof, err := opened(h, body, p.c.signers(ctx))
	if err != nil || !r.of(w.token, proof) {
		if notice || err != nil {
			p.forged.Add(1)
		}
		return false
	}
	var dead error
	if r.status == statusDead {
		dead = &DeadError{Reason: r.reason}
		if r.hint != "" {
			dead = hint.Wrap(dead, r.hint)
		}
	}
	if p.finish(w, body, r.journal, dead) {
		n, _ := p.by.LoadOrStore(r.worker, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
	}
	return true
}

package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"
)

// executor runs one program; package sandbox's engines do.
type executor interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// A batch is how programs travel: several in a message, since one takes a sandbox some milliseconds only.
type batch struct {
	Programs []sandbox.Program `json:"programs"`
	// Once is new where a program is live: no earlier batch is this one.
	Once string `json:"once,omitempty"`
}

type judgements struct {
	Judgements []sandbox.Judgement `json:"judgements"`
}

// mostPrograms is how many programs travel together at most, mostBytes how large they are together, and aBatch how long they
// shall take: what is in a batch waits for its slowest.
const (
	mostPrograms = 64
	mostBytes    = 256 << 10
	aBatch       = 250 * time.Millisecond
)

// JudgeWith does items of KindJudge with a sandbox. A program whose verdict the fleet knows is not run again. Where the sandbox
// fails, another machine tries; when the last one has failed, too, that is what is said of the program, as on one machine.
func JudgeWith(box executor) Handler {
	return func(ctx context.Context, i *Item) (Output, error) {
		var b batch
		if err := json.Unmarshal(i.Payload, &b); err != nil {
			return Output{}, err
		}
		keys := make([]string, len(b.Programs))
		for n, p := range b.Programs {
			keys[n] = i.c.verdictKey(p)
		}
		known := i.c.verdicts(ctx, b.Programs, keys)
		var fresh []*nats.Msg
		defer func() { i.c.keepVerdicts(ctx, fresh) }()
		out, all := judgements{Judgements: make([]sandbox.Judgement, 0, len(b.Programs))}, true
		for n, p := range b.Programs {
			j, ok := known[keys[n]]
			if !ok || p.Live {
				began := time.Now()
				var err error
				switch j, err = box.Exec(ctx, p); {
				case err != nil:
					return Output{}, err
				case j.Verdict == sandbox.InfraError && !i.Last:
					return Output{}, fmt.Errorf("the sandbox failed: %s", words(j.Error))
				case !p.Settled(j):
					all = false
				default:
					known[keys[n]] = j
					if time.Since(began) < worthKeeping {
						break
					}
					if m := i.c.sealVerdict(keys[n], i.worker, j); m != nil {
						fresh = append(fresh, m)
					}
				}
			}
			out.Judgements = append(out.Judgements, j)
		}
		body, err := json.Marshal(out)
		return Output{Body: body, Settled: all}, err
	}
}

func words(e *sandbox.PyError) string {
	if e == nil {
		return "it does not say why"
	}
	return e.Type + ": " + e.Message
}

// Judge runs programs on a fleet: it stands where a sandbox would. It is safe for concurrent use.
type Judge struct {
	pool  *Pool
	c     *Conn
	in    chan *asked
	ended chan time.Duration // a batch came back: what a program of it took
	over  context.Context
	stop  context.CancelFunc
}

// asked is a program that waits for its judgement.
type asked struct {
	ctx     context.Context
	program sandbox.Program
	text    int // its size, about
	out     chan answered
}

type answered struct {
	judgement sandbox.Judgement
	err       error
}

// Judge opens a coordinator's side for programs.
func (c *Conn) Judge() (*Judge, error) {
	pool, err := c.Pool(KindJudge)
	if err != nil {
		return nil, err
	}
	over, stop := context.WithCancel(context.Background())
	j := &Judge{pool: pool, c: c, in: make(chan *asked), ended: make(chan time.Duration), over: over, stop: stop}
	go j.batching()
	return j, nil
}

// Close takes back what nobody waits for.
func (j *Judge) Close() error {
	j.stop()
	return j.pool.Close()
}

// Pool is what carries the programs.
func (j *Judge) Pool() *Pool { return j.pool }

// Exec has a program judged by a worker. The error is the context's own, or says that no worker could: never a verdict.
func (j *Judge) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	a := &asked{ctx: ctx, program: p, text: size(p), out: make(chan answered, 1)}
	select {
	case j.in <- a:
	case <-ctx.Done():
		return sandbox.Judgement{}, ctx.Err()
	case <-j.over.Done():
		return sandbox.Judgement{}, context.Canceled
	}
	select {
	case o := <-a.out:
		return o.judgement, o.err
	case <-ctx.Done():
		return sandbox.Judgement{}, ctx.Err()
	}
}

func size(p sandbox.Program) int {
	n := len(p.Code) + len(p.Setup) + len(p.Judge) + len(p.Stdin)
	for _, t := range p.Tests {
		n += len(t.Name) + len(t.Code)
	}
	for _, c := range p.Cases {
		n += len(c.Stdin) + len(c.Stdout)
	}
	return n
}

// batching puts programs together. A few batches are always on their way for each slot, so that no worker waits; what
// comes meanwhile waits here and goes in larger ones. So a program that comes alone goes at once.
func (j *Judge) batching() {
	var queue []*asked
	away, window, pace := 0, 4, 10*time.Millisecond // pace: what a program takes, about
	look := time.NewTicker(2 * time.Second)
	defer look.Stop()
	slots := make(chan int, 1)
	count := func() {
		if n, err := j.c.Slots(j.over, KindJudge); err == nil {
			select {
			case slots <- n:
			default:
			}
		}
	}
	go count()
	for {
		select {
		case a := <-j.in:
			queue = append(queue, a)
		case took := <-j.ended:
			away--
			pace += (took - pace) / 4
		case n := <-slots:
			window = max(4, 3*n)
		case <-look.C:
			go count()
		case <-j.over.Done():
			return
		}
		for len(queue) > 0 && away < window {
			n, bytes := min(mostPrograms, 1+(len(queue)-1)/window, 1+int(aBatch/max(pace, time.Microsecond))), 0
			for k := range n {
				if bytes += queue[k].text; bytes > mostBytes {
					n = max(1, k)
					break
				}
			}
			some := queue[:n:n]
			queue = queue[n:]
			away++
			go func() {
				took := j.run(some)
				select {
				case j.ended <- took:
				case <-j.over.Done():
				}
			}()
		}
	}
}

// run has a batch judged, and says what a program of it took. One that nobody could finish is tried again program by
// program: one of them is to blame.
func (j *Judge) run(some []*asked) (took time.Duration) {
	b := batch{Programs: make([]sandbox.Program, len(some))}
	for i, a := range some {
		if b.Programs[i] = a.program; a.program.Live && b.Once == "" {
			b.Once = rand.Text()
		}
	}
	ctx := trace.ContextWithSpan(j.over, trace.SpanFromContext(some[0].ctx))
	if len(some) == 1 {
		ctx = some[0].ctx
	}
	out, err := j.send(ctx, b)
	_, dead := errors.AsType[*DeadError](err)
	if dead && len(some) > 1 {
		for _, a := range some {
			took += j.run([]*asked{a})
		}
		return took / time.Duration(len(some))
	}
	for i, a := range some {
		if err != nil {
			a.out <- answered{err: err}
		} else {
			a.out <- answered{judgement: out[i]}
			took += out[i].Wall
		}
	}
	return took / time.Duration(len(some))
}

func (j *Judge) send(ctx context.Context, b batch) ([]sandbox.Judgement, error) {
	payload, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	body, err := j.pool.Do(ctx, payload)
	if err != nil {
		return nil, err
	}
	var out judgements
	if err := json.Unmarshal(body, &out); err != nil || len(out.Judgements) != len(b.Programs) {
		return nil, fmt.Errorf("a worker gave %d judgements for %d programs", len(out.Judgements), len(b.Programs))
	}
	return out.Judgements, nil
}

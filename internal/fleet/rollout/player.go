package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// Player plays rollouts on a worker.
type Player struct {
	// Open gives the environment and the models that options name, on this machine. It must be given.
	Open func(ctx context.Context, o eval.Options) (eval.Config, error)
	// Dir is where contents are unpacked that travel. It must be given.
	Dir string
	// Environment opens a training's environment by its name, the same each time, and Sandbox runs its cells. They must be given.
	Environment func(ctx context.Context, name string) (env.Environment, error)
	Sandbox     rlm.Sandbox

	mu    sync.Mutex
	host  *grpo.Host         // of trainings, once there was one
	evals map[string]*opened // by what decides them
	order []string
}

// opened is what several rollouts share.
type opened struct {
	once sync.Once
	c    eval.Config
	err  error
}

// mostOpened is how many evals' environments and models a worker holds.
const mostOpened = 8

// Handle does an item of fleet.KindRollout.
func (p *Player) Handle(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
	var of payload
	if err := json.Unmarshal(i.Payload, &of); err != nil {
		return fleet.Output{}, err
	}
	var done any
	var err error
	switch {
	case of.Eval != nil:
		done, err = p.eval(ctx, i, *of.Eval)
	case of.Training != nil:
		done, err = grpo.Perform(ctx, *of.Training, p.trains(i.Conn()))
	default:
		err = errors.New("the item asks for no rollout that this program knows")
	}
	if err != nil {
		return fleet.Output{}, err
	}
	body, err := json.Marshal(done)
	return fleet.Output{Body: body, Settled: true}, err
}

// trains is what plays the rollouts of trainings.
func (p *Player) trains(c *fleet.Conn) *grpo.Host {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host == nil {
		p.host = grpo.NewHost(grpo.HostConfig{Environment: p.Environment, Blob: c.Blob, Sandbox: p.Sandbox})
	}
	return p.host
}

// Close ends the sampling of policies.
func (p *Player) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host != nil {
		p.host.Close()
	}
}

// eval plays a rollout of an eval.
func (p *Player) eval(ctx context.Context, i *fleet.Item, of evalItem) (eval.Performed, error) {
	c, err := p.open(ctx, i.Conn(), of)
	if err != nil {
		return eval.Performed{}, err
	}
	journal, err := i.Journal(ctx, journalOf(of.Work))
	if err != nil {
		return eval.Performed{}, err
	}
	w, past, err := continued(journal, of.Work)
	if err != nil {
		return eval.Performed{}, err
	}
	var pool *llm.Budget
	if of.Paid {
		if pool, err = i.Pool(ctx); err != nil {
			return eval.Performed{}, err
		}
	}
	done, err := eval.Perform(ctx, c, of.Work, w, past, pool)
	return done, errors.Join(err, w.Close())
}

// continued opens a journal as a trace, with what earlier holders and earlier executions left of the rollout. What costs
// nothing is written down at the end only: it can be played again.
func continued(journal *fleet.Journal, w eval.Work) (*trace.Writer, []trace.Event, error) {
	past, err := journal.Trace(w.Past)
	if err != nil {
		return nil, nil, err
	}
	var file trace.File = journal
	if !w.Paid {
		file = unflushed{journal}
	}
	return trace.NewWriter(file, int64(len(past)), time.Now, nil), past, nil
}

// unflushed is a journal that waits for its end.
type unflushed struct{ j *fleet.Journal }

func (u unflushed) Write(p []byte) (int, error) { return u.j.Write(p) }
func (unflushed) Sync() error                   { return nil }
func (u unflushed) Close() error                { return u.j.Close() }

// open gives the environment and the models of an eval, once for all its rollouts.
func (p *Player) open(ctx context.Context, c *fleet.Conn, of evalItem) (eval.Config, error) {
	options, err := json.Marshal(of.Options)
	if err != nil {
		return eval.Config{}, err
	}
	key := of.Run + " " + of.Tree + " " + of.Data + " " + string(options)
	p.mu.Lock()
	if p.evals == nil {
		p.evals = map[string]*opened{}
	}
	o := p.evals[key]
	if o == nil {
		o = &opened{}
		if p.order = append(p.order, key); len(p.order) > mostOpened {
			delete(p.evals, p.order[0])
			p.order = p.order[1:]
		}
		p.evals[key] = o
	}
	p.mu.Unlock()
	o.once.Do(func() { o.c, o.err = p.openNow(ctx, c, of) })
	if o.err != nil { // the next item tries again
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.evals[key] == o {
			delete(p.evals, key)
		}
	}
	return o.c, o.err
}

func (p *Player) openNow(ctx context.Context, c *fleet.Conn, of evalItem) (eval.Config, error) {
	o := of.Options
	for _, content := range []struct {
		hash string
		path *string
	}{{of.Tree, &o.Environment}, {of.Data, &o.Data}} {
		if content.hash == "" {
			continue
		}
		path, err := placePath(ctx, c, p.Dir, content.hash)
		if err != nil {
			return eval.Config{}, err
		}
		*content.path = path
	}
	return p.Open(ctx, o)
}

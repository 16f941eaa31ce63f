package eval

import (
	"context"
	"errors"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// purse is one rollout's access to the shared budget. The rollout does not see the pool: its balance depends on the
// other rollouts, and a policy that knew it would not do the same thing twice. When a call cannot be covered, the calls
// in progress come to their end, because they are paid for, and then the rollout is cut off, before the refusal becomes
// part of it: with more money it continues as if nothing had happened.
type purse struct {
	ctx   context.Context // of the rollout
	close context.CancelFunc
	cut   chan struct{} // closed: it is cut off

	mu      sync.Mutex
	open    int // calls in progress
	empty   bool
	spent   money.USD
	unknown bool // something of unknown price was used
}

func newPurse(ctx context.Context) *purse {
	p := &purse{cut: make(chan struct{})}
	p.ctx, p.close = context.WithCancel(ctx)
	return p
}

// pay notes what a call cost.
func (p *purse) pay(cost *money.USD) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cost == nil {
		p.unknown = true
		return
	}
	p.spent = money.AddUSD(p.spent, *cost)
}

// total is what was spent; nil when that is not known.
func (p *purse) total() *money.USD {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unknown {
		return nil
	}
	return new(p.spent)
}

// begin says that a call is in progress; false when the money ran out before.
func (p *purse) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.empty {
		return false
	}
	p.open++
	return true
}

// end says that a call is over. The last one after the money ran out cuts the rollout off.
func (p *purse) end(refused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.empty = p.empty || refused
	if p.open--; p.open == 0 && p.empty {
		p.close()
		close(p.cut)
	}
}

// ranOut reports whether a call could not be covered.
func (p *purse) ranOut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.empty
}

// guarded is a model that is paid from a purse.
type guarded struct {
	model llm.Model
	purse *purse
}

// Complete asks the model. A call that is refused returns when the rollout is cut off.
func (g guarded) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if !g.purse.begin() {
		<-g.purse.cut
		return llm.Response{}, &llm.Error{Kind: llm.KindBudget, Message: "the budget is spent"}
	}
	response, err := g.model.Complete(ctx, r)
	if err == nil {
		g.purse.pay(response.Cost)
	}
	refused := errors.Is(err, llm.ErrBudget)
	g.purse.end(refused)
	if refused {
		<-g.purse.cut
	}
	return response, err
}

// performer is what plays rollouts, on whatever machine.
type performer struct {
	o      Options
	c      Config
	pool   *llm.Budget // nil without a cap
	failed func(error) // told of the policy's failed calls
}

// perform plays a rollout.
func (f *performer) perform(task env.Task, p place, w *trace.Writer, past []trace.Event, purse *purse,
	observe func(rlm.Progress)) (Performed, error) {
	f.charge(purse, past)
	seed := RolloutSeed(f.o.Seed, p.example, p.rollout)
	roll, err := f.c.Environment.Roll(purse.ctx, task, env.Attempt{
		Root: f.policy(seed, purse), Worker: f.worker(purse), Sandbox: f.c.Sandbox, Trace: w, Past: past, ID: p.id(), Seed: seed,
		Strategy: f.o.Strategy, MaxTurns: f.o.MaxTurns, RootTokens: f.o.MaxTokens, Observe: observe, Now: f.c.Now,
	})
	return Performed{Rollout: roll, RanOut: purse.ranOut()}, err
}

// policy opens the root for one rollout.
func (f *performer) policy(seed int64, p *purse) func(*llm.Budget) (llm.Handle, error) {
	return func(*llm.Budget) (llm.Handle, error) {
		h, err := f.c.Root(f.pool)
		if err != nil {
			f.failed(err)
			return h, err
		}
		h.Model = guarded{sampled{h.Model, seed, f.o.Temperature, f.failed}, p}
		return h, nil
	}
}

// worker opens workers for one rollout; nil means the environment's own.
func (f *performer) worker(p *purse) func(string, *llm.Budget) (llm.Handle, error) {
	if f.c.Worker == nil {
		return nil
	}
	return func(name string, _ *llm.Budget) (llm.Handle, error) {
		h, err := f.c.Worker(name, f.pool)
		if err == nil {
			h.Model = guarded{h.Model, p}
		}
		return h, err
	}
}

// charge takes from the pool what an earlier execution of a rollout spent.
func (f *performer) charge(p *purse, past []trace.Event) {
	for _, event := range past {
		if u, ok := event.Paid(); ok {
			rlm.Replayed(f.pool, u)
			p.pay((*money.USD)(u.CostPico))
		}
	}
	root, worker := trace.InFlight(past)
	for _, most := range []int64{root, worker} {
		rlm.Replayed(f.pool, trace.Usage{CostPico: new(int64), AtMostPico: &most})
	}
}

// sampled is the policy's model in one rollout: every request carries the rollout's seed and the eval's temperature.
type sampled struct {
	model       llm.Model
	seed        int64
	temperature *float64
	failed      func(error) // called for every failed call
}

// Complete asks the policy.
func (s sampled) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	r.Seed = new(s.seed)
	if s.temperature != nil {
		r.Temperature = new(*s.temperature)
	}
	response, err := s.model.Complete(ctx, r)
	if err != nil {
		s.failed(err)
	}
	return response, err
}

// hopeless reports a failure that every other rollout would meet as well.
func hopeless(err error) bool {
	return llm.KindOf(err).Permanent()
}

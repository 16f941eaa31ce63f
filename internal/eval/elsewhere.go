package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// ErrUntold says that it is not known what a rollout elsewhere has paid for.
var ErrUntold = errors.New("what a rollout paid for on another machine is not known")

// Elsewhere plays an eval's rollouts on other machines.
type Elsewhere interface {
	// Open is told which rollouts are to be played before the first one is. limit is the cap on what the eval may cost, nil
	// for none, and gone what its rows have cost by now. What stands in the works' Past is not in it.
	Open(ctx context.Context, todo []Work, limit *money.USD, gone money.USD) error
	// Play plays a rollout of a task. With an error it gives the journal as far as it got, to which nothing is added any more, or the error
	// is ErrUntold.
	Play(ctx context.Context, w Work, t env.Task) (Performed, error)
	// Saved is told of a rollout whose row is written: it has cost at most that much.
	Saved(ctx context.Context, w Work, most money.USD) error
}

// Work is one rollout, as another machine is told of it. Two executions of an eval describe it in the same way.
type Work struct {
	Run     string  `json:"run"` // the eval's
	Options Options `json:"options"`
	Example int     `json:"example"`
	Rollout int     `json:"rollout"`
	// Paid says that models cost something: what they said must not be lost.
	Paid bool `json:"paid"`
	// Past is the journal of an earlier execution of the eval on its own machine. Defaults to none.
	Past []byte `json:"past,omitempty"`
}

// Name is the rollout's, in its eval.
func (w Work) Name() string { return place{w.Example, w.Rollout}.id() }

// Before is what the rollout can have cost by now: what stands in Past.
func (w Work) Before() money.USD {
	events, _, err := trace.Read(bytes.NewReader(w.Past))
	if err != nil {
		return 0 // it is refused where it is played
	}
	_, most, _ := trace.Cost(events)
	return money.USD(most)
}

// Performed is what a rollout gave.
type Performed struct {
	Rollout env.Rollout
	// RanOut says that the budget did not cover a call.
	RanOut bool
	// Hopeless is a failure of the policy's model that every rollout would meet. Defaults to none.
	Hopeless *llm.Error
	// Journal holds the rollout's events, as trace.Writer writes them.
	Journal []byte
}

// performed is a Performed on its way between machines. Figures travel as text: not all of them are numbers of JSON. What
// an eval does not keep stays behind: findings, and the journal, which has a way of its own.
type performed struct {
	Rollout env.Rollout       `json:"rollout"`
	Reward  string            `json:"reward"`
	Parts   []part            `json:"parts"`
	Metrics map[string]string `json:"metrics"`
	RanOut  bool              `json:"ran_out,omitempty"`
	Kind    llm.Kind          `json:"hopeless,omitempty"`
	Model   string            `json:"model,omitempty"`
	Message string            `json:"message,omitempty"`
}

type part struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Weight string `json:"weight"`
}

// MarshalJSON leaves out the journal.
func (p Performed) MarshalJSON() ([]byte, error) {
	to := performed{Rollout: p.Rollout, Reward: exactly(p.Rollout.Reward), RanOut: p.RanOut}
	for _, of := range p.Rollout.Parts {
		to.Parts = append(to.Parts, part{of.Name, exactly(of.Value), exactly(of.Weight)})
	}
	if p.Rollout.Metrics != nil {
		to.Metrics = map[string]string{}
		for name, v := range p.Rollout.Metrics {
			to.Metrics[name] = exactly(v)
		}
	}
	to.Rollout.Reward, to.Rollout.Parts, to.Rollout.Metrics, to.Rollout.Findings = 0, nil, nil, nil
	if e := p.Hopeless; e != nil {
		to.Kind, to.Model, to.Message = e.Kind, e.Model, e.Message
	}
	return json.Marshal(to)
}

// exactly is a figure that ParseFloat gives again, NaN and infinities included.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// UnmarshalJSON is the way back.
func (p *Performed) UnmarshalJSON(text []byte) error {
	var from performed
	if err := json.Unmarshal(text, &from); err != nil {
		return err
	}
	*p = Performed{Rollout: from.Rollout, RanOut: from.RanOut}
	if string(p.Rollout.Extra) == "null" {
		p.Rollout.Extra = nil
	}
	var faults []error
	figure := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		faults = append(faults, err)
		return v
	}
	p.Rollout.Reward = figure(from.Reward)
	for _, of := range from.Parts {
		p.Rollout.Parts = append(p.Rollout.Parts, env.Part{Name: of.Name, Value: figure(of.Value), Weight: figure(of.Weight)})
	}
	if from.Metrics != nil {
		p.Rollout.Metrics = map[string]float64{}
		for name, v := range from.Metrics {
			p.Rollout.Metrics[name] = figure(v)
		}
	}
	if from.Kind != "" {
		p.Hopeless = &llm.Error{Kind: from.Kind, Model: from.Model, Message: from.Message}
	}
	return errors.Join(faults...)
}

// Perform plays a rollout for an eval of another machine. c is that machine's; pool, which may be nil, is what the rollout
// may cost. past is what w's journal holds: it is not asked for again.
func Perform(ctx context.Context, c Config, w Work, tw *trace.Writer, past []trace.Event, pool *llm.Budget) (Performed, error) {
	c = c.withDefaults(w.Options)
	var mu sync.Mutex
	var hopelessly *llm.Error
	f := performer{o: w.Options, c: c, pool: pool, failed: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if e, ok := errors.AsType[*llm.Error](err); ok && hopeless(err) {
			hopelessly = e
		}
	}}
	task, err := c.Environment.Task(ctx, w.Options.selection(), w.Example)
	if err != nil {
		return Performed{}, fmt.Errorf("make task %d: %w", w.Example, err)
	}
	purse := newPurse(ctx)
	defer purse.close()
	done, err := f.perform(task, place{w.Example, w.Rollout}, tw, past, purse, func(rlm.Progress) {})
	mu.Lock()
	defer mu.Unlock()
	done.Hopeless = hopelessly
	return done, err
}

// work describes a rollout for other machines.
func (e *evaluation) work(p place) (Work, error) {
	w := Work{Run: e.run, Options: e.o.decisive(), Example: p.example, Rollout: p.rollout, Paid: e.durable}
	past, err := e.past(p)
	w.Past = past
	return w, err
}

// openElsewhere says what is to be played. From then on the run counts as one whose journals are
// not here; back, called at the end, takes that back where all of them came home.
func (e *evaluation) openElsewhere(ctx context.Context, todo []place) (back func(), err error) {
	var all []Work
	for _, p := range todo {
		w, err := e.work(p)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	gone := money.USD(0)
	if e.pool != nil {
		gone = e.pool.Spent()
	}
	if err := e.c.Elsewhere.Open(ctx, all, e.o.Budget, gone); err != nil || !e.durable || len(todo) == 0 {
		return func() {}, err
	}
	before := rundir.Away(e.dir.Root(), ".") // an earlier execution left something there, of any of them
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.fault == nil && e.untold == 0 && (!before || e.home == len(todo)) {
			e.fault = e.dir.Return()
		}
	}, e.dir.Leave()
}

// elsewhere has another machine play a rollout.
func (e *evaluation) elsewhere(ctx context.Context, p place, t env.Task) (Performed, error) {
	e.begin(p, newPurse(ctx))
	defer e.end(p)
	w, err := e.work(p)
	if err != nil {
		return Performed{}, err
	}
	done, err := e.c.Elsewhere.Play(ctx, w, t)
	e.told(err)
	if done.Hopeless != nil {
		e.modelFailed(done.Hopeless)
	}
	if ctx.Err() != nil && len(done.Journal) > len(w.Past) { // who resumes it, on a fleet or without, goes on from there
		return done, errors.Join(err, e.keepJournal(p, done.Journal))
	}
	if err != nil && ctx.Err() == nil {
		e.failedElsewhere(err)
		if errors.Is(err, ErrUntold) {
			return done, &journalError{err}
		}
		events, _, _ := trace.Read(bytes.NewReader(done.Journal)) // a damaged one is refused below
		least, most, unknown := trace.Cost(events)
		done.Rollout.Root.Cost, done.Rollout.Root.AtMost, done.Rollout.Root.UnknownCost = money.USD(least), money.USD(most), unknown
	}
	return done, err
}

// told counts whose journals came home.
func (e *evaluation) told(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if errors.Is(err, ErrUntold) {
		e.untold++
	} else {
		e.home++
	}
}

// failedElsewhere keeps an error with its advice: a row has the text alone.
func (e *evaluation) failedElsewhere(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastErr = err
}

// past is what an earlier execution left of a rollout in its journal, whole lines only.
func (e *evaluation) past(p place) ([]byte, error) {
	text, err := e.dir.Root().ReadFile(journalName(p))
	if err != nil {
		return nil, nil //nolint:nilerr // there is none
	}
	_, good, err := trace.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.dir.File(journalName(p)), err)
	}
	return text[:good], nil
}

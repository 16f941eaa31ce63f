package verify

import (
	"context"
	"errors"
	"iter"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Verifier judges programs of one dataset. It is safe for concurrent use.
type Verifier struct {
	set     *dataset.Set
	workers int
	rescue  bool

	reader reader  // finds the programs
	judge  judge   // runs them
	bounds *bounds // what they may use
	gate   *gate   // whether they may be judged at all
}

// New makes a Verifier.
func New(c Config) *Verifier {
	c = c.withDefaults()
	b := &bounds{factor: c.StepsFactor, took: map[string]reference{}}
	w := judge{box: c.Box, repeat: c.Repeat, keepGoing: c.KeepGoing, challenge: c.Challenge, live: c.Live}
	return &Verifier{
		set: c.Set, workers: c.Workers, rescue: c.Rescue,
		reader: reader{extract: c.Extract, mode: c.Mode, override: c.Override},
		judge:  w, bounds: b, gate: &gate{Config: c, judge: w, bounds: b},
	}
}

// ErrNoGate is returned where a sample should be judged before Gate has passed.
var ErrNoGate = errors.New("the controls have not passed: nothing is judged before them")

// Gate runs the controls of the selected tasks: references must pass, null programs must not. It also measures the
// references, whose own steps bound what programs of their task may take. It must pass before anything is judged; its
// error is then a *GateError. Once passed it costs nothing more.
func (v *Verifier) Gate(ctx context.Context) (runfile.Controls, error) { return v.gate.run(ctx) }

// Judge runs one whole program against a task's tests, within the task's limits. The error is ErrNoGate or the
// context's own: a fault of the sandbox, met twice, is the verdict sandbox.InfraError.
func (v *Verifier) Judge(ctx context.Context, t dataset.Task, code string) (Result, error) {
	if _, ok := v.gate.passed(); !ok {
		return Result{}, ErrNoGate
	}
	return v.judge.run(ctx, t, code, v.bounds.limits(t))
}

// Sample judges one sample. Errors are those of Judge, or say that the dataset has no such task.
func (v *Verifier) Sample(ctx context.Context, s Sample) (Result, error) {
	if _, ok := v.gate.passed(); !ok {
		return Result{}, ErrNoGate
	}
	t, err := find(v.set, s)
	if err != nil {
		return Result{}, err
	}
	x, err := v.reader.code(ctx, t, s)
	if err != nil {
		return Result{}, err
	}
	run := func(code string) (Result, error) { return v.judge.run(ctx, t, code, v.bounds.limits(t)) }
	r, err := run(x.Code)
	if err != nil {
		return Result{}, err
	}
	r.Sample, r.Completion, r.Solution = s.Index, s.Completion, s.Solution
	r.Extraction, r.Steps = string(x.Path), x.Steps
	r.Signs = signs(s)
	if v.rescue && r.Verdict == sandbox.NoEntryPoint {
		if r.Rescued, err = v.reader.rescued(ctx, t, r.Code, run); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

// Verify judges samples and hands the results to sink in the order of the samples. Memory holds a few samples for each
// worker. The first error ends it: of the samples, of the sink, or the context's; what sink was given before that counts.
func (v *Verifier) Verify(ctx context.Context, samples iter.Seq2[Sample, error], sink func(Result) error) error {
	if _, ok := v.gate.passed(); !ok {
		return ErrNoGate
	}
	return ordered(ctx, v.workers, samples, Sample.size, v.Sample, sink)
}

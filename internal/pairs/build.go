package pairs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Files of a build's directory.
const (
	TrainName    = "train.jsonl"
	HeldoutName  = "heldout.jsonl"
	cardName     = "card.md"
	summaryName  = "summary.json"
	verifiedName = "verified.jsonl"
)

// builder is a build in progress.
type builder struct {
	BuildConfig
	parser *syntax.Parser
	memory *memory
	// tasks are the set's, with their mutated tests once there are any; open says which of them may be used.
	tasks  []dataset.Task
	open   []bool
	hashes []string
	judge  *verify.Verifier
	funnel Funnel
	// rates are the shares of each task's samples that pass.
	rates   []taskRate
	ran     int
	weights map[string]float64
	// cost and atMost are those of the build's own samples.
	cost, atMost *money.USD
}

type taskRate struct{ passed, total int }

// Build makes pairs and writes them, with their card, into the directory. A stopped build continues in the same
// directory. Errors are the context's, the sources', *EmptyError, or those of the gate. When pairs do not come out as
// labelled at the end, Built says so and nothing is written.
func Build(ctx context.Context, c BuildConfig) (*runfile.PairBuild, error) {
	b, err := newBuilder(c)
	if err != nil {
		return nil, err
	}
	defer b.memory.close()
	began := b.Now()
	b.refuse()
	if err := b.sample(ctx); err != nil {
		return nil, err
	}
	programs, err := b.collect(ctx)
	if err != nil {
		return nil, err
	}
	controls, err := b.gate(ctx, programs)
	if err != nil {
		return nil, err
	}
	if err := b.probes(ctx, programs); err != nil {
		return nil, err
	}
	if err := b.run(ctx, "programs", programs); err != nil {
		return nil, err
	}
	b.agree(programs)
	chosen, rejected := b.sort(programs)
	mutants, err := b.mutants(ctx, chosen)
	if err != nil {
		return nil, err
	}
	pool := b.pair(chosen, append(rejected, mutants...))
	if pool, err = b.steady(ctx, b.filter(pool)); err != nil {
		return nil, err
	}
	picked := b.choose(pool)
	if len(picked) == 0 {
		return nil, &EmptyError{b.funnel}
	}
	out := &runfile.PairBuild{Dataset: b.Set.Info.Name, Controls: controls, Options: b.PairOptions, Cost: b.cost, AtMost: b.atMost}
	if out.Reverified, err = b.reverify(ctx, picked); err != nil {
		return nil, err
	}
	b.funnel.step("run again after all filters", "pairs", len(picked), out.Reverified.OK, "not as labelled")
	out.Funnel, out.Sources, out.Run, out.Remembered = b.funnel, b.shares(picked), b.ran, b.memory.hits
	out.Seconds = b.Now().Sub(began).Round(time.Millisecond).Seconds()
	if len(out.Reverified.Wrong) > 0 {
		return out, nil
	}
	return out, b.write(ctx, picked, out)
}

func newBuilder(c BuildConfig) (*builder, error) {
	c.PairOptions = withDefaults(c.PairOptions)
	if c.Workers < 1 {
		c.Workers = 2
	}
	if c.Observe == nil {
		c.Observe = func(string, int, int) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Answers != Plain && c.Answers != Fenced {
		return nil, fmt.Errorf("answers are %s or %s, not %q", Plain, Fenced, c.Answers)
	}
	parser, err := c.Parser()
	if err != nil {
		return nil, err
	}
	b := &builder{BuildConfig: c, parser: parser, rates: make([]taskRate, len(c.Set.Tasks)), weights: map[string]float64{}}
	for _, t := range c.Set.Tasks {
		// The harder tests that some tasks of MBPP have are hidden tests like others: what is chosen passes them.
		t.Tests = slices.Concat(t.Tests, t.Challenges)
		b.tasks = append(b.tasks, t)
	}
	b.open, b.hashes = make([]bool, len(b.tasks)), make([]string, len(b.tasks))
	b.memory, err = openMemory(c.Dir.Root(), verifiedName)
	return b, err
}

// gate runs the controls of the tasks that have programs.
func (b *builder) gate(ctx context.Context, programs []*candidate) (runfile.Controls, error) {
	used := map[string]bool{}
	for _, p := range programs {
		used[b.tasks[p.task].ID] = true
	}
	if len(used) == 0 {
		return runfile.Controls{}, &EmptyError{b.funnel}
	}
	config := verify.Config{Box: b.Box, Set: b.Set, Extract: b.Extract, Workers: b.Workers, Cache: b.Cache, KeepGoing: true,
		Selected: func(id string) bool { return used[id] }, Observe: b.stage("controls")}
	b.judge = verify.New(config)
	controls, err := b.judge.Gate(ctx)
	return controls, err
}

// again is a verifier for the same tasks that runs programs several times, with other random seeds.
func (b *builder) again(ctx context.Context, repeat int) (*verify.Verifier, error) {
	used := map[string]bool{}
	for i, t := range b.tasks {
		used[t.ID] = b.open[i]
	}
	v := verify.New(verify.Config{Box: b.Box, Set: b.Set, Extract: b.Extract, Workers: b.Workers, Cache: b.Cache, Repeat: repeat,
		Selected: func(id string) bool { return used[id] && b.hasReference(id) }})
	_, err := v.Gate(ctx)
	return v, err
}

func (b *builder) hasReference(id string) bool {
	t, ok := b.Set.Find(id)
	return ok && t.Canonical != ""
}

// isMutated reports a test that probe has made.
func isMutated(t dataset.Test) bool { return len(t.Name) > 8 && t.Name[:8] == "mutated " }

// probes adds mutated tests to the tasks that have programs.
func (b *builder) probes(ctx context.Context, programs []*candidate) error {
	var tasks []int
	seen := map[int]bool{}
	for _, p := range programs {
		if !seen[p.task] {
			seen[p.task] = true
			tasks = append(tasks, p.task)
		}
	}
	p := &prober{parser: b.parser, box: b.Box, most: b.Probes, seed: b.Seed}
	made, err := verify.Each(ctx, tasks, b.Workers, b.stage("tasks with mutated tests"),
		func(ctx context.Context, task int) (bool, error) {
			t := &b.tasks[task]
			tests, err := p.probe(ctx, *t)
			if err != nil {
				return false, fmt.Errorf("mutated tests of %s: %w", t.ID, err)
			}
			if len(tests) > 0 {
				t.Tests = append(t.Tests[:len(t.Tests):len(t.Tests)], tests...)
				t.Judge += sameSource
			}
			return len(tests) > 0, nil
		})
	if err != nil {
		return err
	}
	with := 0
	for task, some := range made {
		with += int(truth(some))
		b.hashes[task] = testHash(b.tasks[task])
	}
	if b.Probes > 0 {
		b.funnel.step("mutated tests made", "tasks", len(tasks), with,
			"kept, with the dataset's own tests only: no input to vary, or the reference gives no plain result")
	}
	return nil
}

// run judges what was not judged before.
func (b *builder) run(ctx context.Context, stage string, programs []*candidate) error {
	ran, err := verify.Each(ctx, programs, b.Workers, b.stage(stage),
		func(ctx context.Context, p *candidate) (bool, error) {
			key := hash(b.hashes[p.task] + b.Build + "\x00" + p.code)
			if known, ok := b.memory.get(key); ok {
				p.result = known
				return false, nil
			}
			var r verify.Result
			var err error
			if p.parent != nil {
				r, err = b.brief(ctx, p)
			} else {
				r, err = b.judge.Judge(ctx, b.tasks[p.task], p.code)
			}
			if err != nil {
				return false, err
			}
			p.result = scored(b.tasks[p.task], r)
			if r.Verdict == sandbox.InfraError { // another try may tell
				return true, nil
			}
			return true, b.memory.put(key, p.result)
		})
	for _, r := range ran {
		b.ran += int(truth(r))
	}
	return err
}

// stage observes one stage.
func (b *builder) stage(name string) func(done, total int) {
	return func(done, total int) { b.Observe(name, done, total) }
}

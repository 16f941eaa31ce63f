package recipe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
	"github.com/deeprepo/deeprepo/internal/train/report"
)

// heldoutPairs is the default number of a file's pairs that are only measured.
const heldoutPairs = 64

// PhasePairs is the phase in which rollouts are played to make pairs of.
const PhasePairs = "pairs"

// DPO is what a training by preferences is asked for: a policy for each number of pairs, all from the same base.
type DPO struct {
	// Pool says how pairs are made, where no file has them.
	Pool dpo.Pool `json:"pool"`
	// Pairs is a file of them, or a directory of pairs of code that `deeprepo pairs build` made. Defaults to none: the policy's own
	// rollouts are compared.
	Pairs string `json:"pairs,omitempty"`
	// Sizes are how many pairs are learnt, a training each; the smaller are a part of the larger. Default to Pool's.
	Sizes []int `json:"sizes"`
	// Train is how.
	Train dpo.Options `json:"train"`
}

func (d DPO) check() error {
	for _, n := range d.Sizes {
		if n < 1 {
			return hint.Wrap(fmt.Errorf("a training on %d pairs", n), "give numbers of pairs from 1 on")
		}
	}
	if !slices.IsSorted(d.Sizes) || len(slices.Compact(slices.Clone(d.Sizes))) < len(d.Sizes) {
		return hint.Wrap(fmt.Errorf("the sizes %v are not in order", d.Sizes), "the smallest first, each once")
	}
	if d.Pairs != "" && !d.ofCode() {
		if _, err := dpo.ReadFile(d.Pairs); err != nil {
			return err
		}
	}
	if err := d.Pool.Check(); err != nil {
		return err
	}
	return d.Train.Check()
}

// sizes are those of a ladder over so many pairs: what there are not enough pairs for becomes all of them.
func (d DPO) sizes(pairs int) []int {
	var out []int
	for _, n := range d.Sizes {
		if n = min(n, pairs); len(out) == 0 || out[len(out)-1] < n {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		out = []int{pairs}
	}
	return out
}

// preferences is the recipe of a training by preferences. Its largest training has the recipe's own directory, the
// smaller ones have theirs in it.
func (r *run) preferences(ctx context.Context) error {
	policy, err := r.base(ctx)
	if err != nil {
		return err
	}
	base, err := r.keepBase(policy)
	if err != nil {
		return err
	}
	r.begin(PhasePairs)
	learn, held, err := r.pairs(ctx, policy)
	if err != nil {
		return err
	}
	r.c.Say(fmt.Sprintf("%d pairs to learn from and %d to measure; what the base makes of them is computed first", len(learn), len(held)))
	set, err := dpo.Prepare(ctx, policy, learn, held, 0)
	if err != nil {
		return err
	}
	code := r.o.DPO.ofCode()
	if code { // whether it writes better programs is not measured by playing
		r.summary.Measured = ""
	} else if r.summary.Before, err = r.measure(ctx, train.BeforeName, base); err != nil {
		return err
	}
	sizes := r.o.DPO.sizes(len(learn))
	for i, n := range sizes {
		dir := ""
		if i < len(sizes)-1 {
			dir = fmt.Sprintf("pairs-%d", n)
		}
		g, err := r.rung(ctx, set, n, dir)
		if err != nil {
			return err
		}
		g.Tasks, g.Gap = dpo.Tasks(learn[:n]), dpo.Gap(learn[:n])
		r.summary.Ladder = append(r.summary.Ladder, g)
	}
	last := r.summary.Ladder[len(sizes)-1]
	r.summary.Status, r.summary.After = last.Status, last.After
	if !code {
		if err := r.compareRungs(); err != nil {
			return err
		}
		report.Judge(&r.summary)
	}
	if most := slices.Max(append([]int{len(learn)}, r.o.DPO.Sizes...)); most > len(learn) {
		r.c.Say(fmt.Sprintf("there were %d pairs, not %d: the largest training has them all", len(learn), most))
	}
	return r.finish()
}

// pairs are those of a file, or of a pool of the policy's rollouts.
func (r *run) pairs(ctx context.Context, policy nano.Policy) (learn, held []dpo.Pair, err error) {
	d := r.o.DPO
	if d.ofCode() {
		return codePairs(policy, d.Pairs)
	}
	if d.Pairs != "" {
		all, err := dpo.ReadFile(d.Pairs)
		if err != nil {
			return nil, nil, err
		}
		for i, p := range all {
			if strings.HasPrefix(p.Task, r.c.Measured.Name()+"/"+env.Heldout+"/") {
				return nil, nil, hint.Wrap(fmt.Errorf("%s: pair %d is of the held-out task %s: what is measured would have been learnt", d.Pairs,
					i+1, p.Task),
					"pairs are made of tasks of the training split")
			}
		}
		learn, held = dpo.HoldOut(all, cmp.Or(d.Pool.Heldout, heldoutPairs))
		return learn, held, nil
	}
	pool := d.Pool
	if len(d.Sizes) > 0 {
		pool.Pairs = d.Sizes[len(d.Sizes)-1]
	}
	return dpo.Collect(ctx, pool, dpo.PoolConfig{Environment: r.c.Environment, Sandbox: r.c.Sandbox, Policy: policy,
		Out: r.path(PhasePairs), Program: r.program(),
		Observe: func(done, total int, reward float64, rollouts int) {
			r.c.Observe(Progress{Phase: PhasePairs, Done: done, Total: total, Reward: reward, Counted: rollouts})
		}})
}

// rung trains on the first n pairs and measures what came of it. name is its directory in the recipe's, "" for that itself.
func (r *run) rung(ctx context.Context, set *dpo.Set, n int, name string) (runfile.TrainingRung, error) {
	dir, phase := r.path(name), PhaseTraining
	if name != "" {
		phase = name
	}
	r.begin(phase)
	around := r.program()
	around.Say = func(line string) { r.c.Say(fmt.Sprintf("%d pairs: %s", n, line)) }
	out, err := dpo.Run(ctx, r.o.DPO.Train, dpo.Config{Set: set, Pairs: n, Out: dir, Program: around,
		Observe: func(s runfile.TrainingStep, steps int) {
			r.c.Observe(Progress{Phase: phase, Done: s.Step, Total: steps, Step: &s})
		}})
	g := runfile.TrainingRung{Pairs: n, Run: dir, Status: trace.StatusCompleted, Steps: len(out.Steps), Seconds: seconds(out.Steps),
		Alarms: []string{}}
	if diverged := (*dpo.Diverged)(nil); errors.As(err, &diverged) {
		g.Status, g.Alarms = trace.StatusDiverged, append(g.Alarms, diverged.Error())
		r.c.Say(fmt.Sprintf("%d pairs: %v; %s", n, err, diverged.Hint()))
		err = nil
	}
	if err != nil {
		return g, err
	}
	for _, a := range out.Alarms {
		g.Alarms = append(g.Alarms, a.String())
	}
	for _, s := range out.Steps {
		if s.HeldoutPairs != nil {
			g.Heldout = s.HeldoutPairs
		}
	}
	r.summary.End, r.summary.Seed, r.summary.Steps, r.summary.BestStep = out.End, out.Options.Seed, len(out.Steps), len(out.Steps)
	r.summary.Progression, r.summary.Seconds, r.summary.Adapter = report.Progression(out.Steps), r.summary.Seconds+g.Seconds,
		filepath.Join(dir, train.AdapterName)
	r.summary.Trained = 0
	if out.Adapter != nil {
		r.summary.Trained = count(out.Adapter.Params())
	}
	if out.Adapter != nil && !r.o.DPO.ofCode() {
		g.After, err = r.measure(ctx, filepath.Join(name, train.AfterName), dir)
	}
	return g, err
}

// compareRungs tests all rungs against the base, corrected for their number, and each against the one before it.
func (r *run) compareRungs() error {
	before, err := eval.Load(r.path(train.BeforeName))
	if err != nil {
		return err
	}
	saved := []eval.Saved{before}
	var at []int
	for i, g := range r.summary.Ladder {
		if g.After == nil {
			continue
		}
		after := filepath.Join(g.Run, train.AfterName)
		s, err := eval.Load(after)
		if err != nil {
			return err
		}
		saved, at = append(saved, s), append(at, i)
		if i > 0 && r.summary.Ladder[i-1].After != nil {
			if r.summary.Ladder[i].Next, err = report.Compare(filepath.Join(r.summary.Ladder[i-1].Run, train.AfterName), after); err != nil {
				return err
			}
		}
	}
	if len(at) == 0 {
		return nil
	}
	c, err := eval.CompareSaved(saved)
	if err != nil {
		return err
	}
	for k, i := range at {
		r.summary.Ladder[i].Test = &c.Tests[k]
	}
	return nil
}

package dpo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Names in a pool's directory.
const (
	RolloutsName = "rollouts.jsonl"      // a Group a line
	PairsName    = "pairs.jsonl"         // a Pair a line, in the order of Split
	HeldoutName  = "heldout_pairs.jsonl" // those of other tasks
)

// poolMethod is what the manifest of a pool calls it.
const poolMethod = "pairs"

// chunk is how many tasks are played between two looks at how many pairs there are.
const chunk = 32

// Collect plays tasks of the training split until their rollouts give enough pairs, or continues the pool that an
// earlier execution left in the directory. It gives the pairs to learn from, in the order of Split, and those to
// measure. A pool that was interrupted is a *rundir.Stopped; one without a pair is ErrNoPairs.
func Collect(ctx context.Context, o Pool, c PoolConfig) (learn, measure []Pair, err error) {
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	o, c = o.withDefaults(), c.withDefaults()
	if err := c.Policy.Validate(); err != nil {
		return nil, nil, hint.Wrap(err, "give a model directory that deeprepo train sft wrote")
	}
	dir, err := train.Start(c.Out, train.Setup{Method: poolMethod, Version: c.Version, Options: o, Now: c.Now,
		Inputs: []string{train.Identity(c.Policy), env.Identity(c.Environment)}})
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	groups, err := pool(ctx, o, c, dir)
	if err != nil {
		return nil, nil, err
	}
	learn, measure = o.split(groups)
	if len(learn) == 0 {
		return nil, nil, noPairs(o, groups)
	}
	err = errors.Join(
		dir.Dir().Write(PairsName, func(w io.Writer) error { return WritePairs(w, learn) }),
		dir.Dir().Write(HeldoutName, func(w io.Writer) error { return WritePairs(w, measure) }))
	return learn, measure, err
}

// split makes the pool's pairs of its groups.
func (o Pool) split(groups []Group) (learn, measure []Pair) {
	short := make([]Group, len(groups))
	for i, g := range groups {
		g.Rollouts = slices.DeleteFunc(slices.Clone(g.Rollouts), func(s Side) bool { return s.tokens() > o.MaxTokens })
		short[i] = g
	}
	learn, measure = Split(short, o.Gap, o.PerTask, o.Heldout, o.Seed)
	return learn[:min(o.Pairs, len(learn))], measure
}

// tokens counts what a trainer reads of a side.
func (s Side) tokens() int {
	n := 0
	for _, q := range s.Sequences {
		n += len(q.Tokens)
	}
	return n
}

// noPairs says why there are none.
func noPairs(o Pool, groups []Group) error {
	lowest, highest, rollouts := 1.0, 0.0, 0
	for _, g := range groups {
		for _, s := range g.Rollouts {
			lowest, highest, rollouts = min(lowest, s.Reward), max(highest, s.Reward), rollouts+1
		}
	}
	why := fmt.Sprintf("no two rollouts of a task earned rewards %g apart; all %d earned between %.3f and %.3f", o.Gap, rollouts, lowest,
		highest)
	if lowest == highest {
		why = fmt.Sprintf("all %d rollouts earned %.3f", rollouts, lowest)
	}
	return hint.Wrap(fmt.Errorf("%w: %s", ErrNoPairs, why),
		"a policy that succeeds sometimes has something to compare: another base, other tasks, a higher temperature or a smaller gap")
}

// pool gives the groups of a pool, those that an earlier execution played first.
func pool(ctx context.Context, o Pool, c PoolConfig, dir *train.Run) ([]Group, error) {
	f, err := bounded.OpenOrCreate(dir.Dir().Root(), RolloutsName)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	groups, err := readGroups(f, dir.Dir().File(RolloutsName))
	if err != nil {
		return nil, err
	}
	digest, err := tokenizerDigest(c.Policy.Tokenizer)
	if err != nil {
		return nil, err
	}
	s := o.Selection()
	most := o.MaxTasks
	if size := c.Environment.Size(s); size > 0 {
		most = min(most, size)
	}
	var mu sync.Mutex
	sum, rollouts, pairs := 0.0, 0, 0
	p := &player{o: o, c: c, selection: s, tokenizer: digest, played: func(reward float64) {
		mu.Lock()
		defer mu.Unlock()
		sum, rollouts = sum+reward, rollouts+1
		c.Observe(pairs, o.Pairs, sum/float64(rollouts), rollouts)
	}}
	for len(groups) < most {
		learn, measure := o.split(groups)
		mu.Lock()
		pairs = len(learn)
		mu.Unlock()
		if len(learn) >= o.Pairs && len(measure) >= min(o.Heldout, o.Pairs/everyHeldout) {
			break
		}
		if p.sampler == nil {
			p.sampler = nano.NewSampler(c.Policy, nano.SamplerConfig{Cores: c.Cores, MaxCell: o.MaxCell})
			defer p.sampler.Close()
		}
		more, failed, err := p.play(ctx, len(groups), min(most, len(groups)+chunk))
		if ctx.Err() != nil {
			return nil, &rundir.Stopped{What: "pool of rollouts", Parts: "pairs", Dir: dir.Dir().Path(), Why: "it was interrupted",
				Done: len(learn), Total: o.Pairs, Cause: context.Canceled}
		}
		if err != nil {
			return nil, err
		}
		if 2*len(failed) > len(more)*o.Group {
			return nil, fmt.Errorf("%d of %d rollouts failed: %w", len(failed), len(more)*o.Group, failed[0])
		}
		if err := writeLines(f, more); err != nil {
			return nil, fmt.Errorf("write the rollouts: %w", err)
		}
		groups = append(groups, more...)
	}
	return groups, nil
}

// readGroups reads the whole lines of an earlier execution, and truncates the file after them.
func readGroups(f *os.File, name string) ([]Group, error) {
	var out []Group
	good, err := train.EachLine(f, name, true, func(text []byte) error {
		var g Group
		if err := json.Unmarshal(text, &g); err != nil {
			return err
		}
		if g.Place != len(out) {
			return fmt.Errorf("task %d stands in the place of task %d", g.Place, len(out))
		}
		for _, s := range g.Rollouts {
			if err := s.check(); err != nil {
				return err
			}
		}
		out = append(out, g)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(good); err != nil {
		return nil, err
	}
	_, err = f.Seek(good, io.SeekStart)
	return out, err
}

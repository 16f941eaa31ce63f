package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// payload is an item of fleet.KindRollout: one of its fields.
type payload struct {
	Eval     *evalItem  `json:"eval,omitempty"`
	Training *grpo.Work `json:"training,omitempty"`
}

// evalItem is a rollout of an eval.
type evalItem struct {
	eval.Work
	// Tree and Data are the hashes of what stood at Options.Environment, where that is a path, and at Options.Data.
	Tree string `json:"tree,omitempty"`
	Data string `json:"data,omitempty"`
	// Snapshot is the task's codebase, packed, where the environment would read it out of a checkout.
	Snapshot *snapshot `json:"snapshot,omitempty"`
}

// snapshot is a packed codebase: its localisation.SnapshotName, and the hash of its bytes.
type snapshot struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// Evals plays an eval's rollouts on a fleet: it is an eval.Elsewhere.
type Evals struct {
	c    *fleet.Conn
	pool *fleet.Pool
	// opened is told of the pool, once it is there.
	opened     func(*fleet.Pool)
	purse      *fleet.Purse
	tree, data string
	snapshots  recent[*snapshot] // by name
}

// NewEvals has rollouts played by a fleet. opened, which may be nil, sees the pool that carries them.
func NewEvals(c *fleet.Conn, opened func(*fleet.Pool)) *Evals { return &Evals{c: c, opened: opened} }

// Open implements eval.Elsewhere.
func (e *Evals) Open(ctx context.Context, todo []eval.Work, limit *money.USD, gone money.USD) error {
	if len(todo) == 0 {
		return nil
	}
	run, o := todo[0].Run, todo[0].Options
	var err error
	if taskset.Is(o.Environment) {
		e.tree, err = keepPath(ctx, e.c, o.Environment)
	}
	if err == nil && o.Data != "" {
		e.data, err = keepPath(ctx, e.c, o.Data)
	}
	if err == nil {
		e.pool, err = e.c.Resumable(fleet.KindRollout, run)
	}
	if err != nil {
		return err
	}
	if e.opened != nil {
		e.opened(e.pool)
	}
	if !todo[0].Paid {
		return nil
	}
	open := map[string]money.USD{}
	for _, w := range todo {
		open[journalOf(w)] = w.Before()
	}
	loose, err := e.c.Loose(ctx, run, limit, gone, open)
	if err == nil && loose {
		var mu sync.Mutex
		err = e.pool.Reclaim(ctx, slices.Collect(maps.Keys(open)), func(name string, journal []byte) {
			mu.Lock()
			defer mu.Unlock()
			open[name] = max(open[name], eval.Work{Past: journal}.Before())
		})
	}
	if err == nil {
		e.purse, err = e.c.OpenPurse(ctx, run, limit, gone, open)
	}
	return err
}

// journalOf names a rollout's journal: the same for every execution of its eval.
func journalOf(w eval.Work) string { return w.Run + "-" + strings.ReplaceAll(w.Name(), ".", "-") }

func (e *Evals) item(ctx context.Context, w eval.Work, t env.Task) ([]byte, error) {
	of := evalItem{Work: w, Tree: e.tree, Data: e.data}
	if name, ok := localisation.SnapshotName(t); ok {
		var err error
		of.Snapshot, err = e.snapshots.get(name, func() (*snapshot, error) {
			packed, err := t.Codebase.Pack()
			if err != nil {
				return nil, fmt.Errorf("%s cannot travel to the fleet: %w", t.ID, err)
			}
			hash, err := e.c.Keep(ctx, packed)
			return &snapshot{name, hash}, err
		})
		if err != nil {
			return nil, err
		}
	}
	return json.Marshal(payload{Eval: &of})
}

// Play implements eval.Elsewhere.
func (e *Evals) Play(ctx context.Context, w eval.Work, t env.Task) (p eval.Performed, err error) {
	item, err := e.item(ctx, w, t)
	if err != nil {
		return p, err
	}
	body, journal, err := e.pool.Journaled(ctx, item, journalOf(w))
	if err != nil && w.Paid {
		var untold error
		if p.Journal, untold = e.pool.SoFar(ctx, journalOf(w)); untold != nil {
			err = errors.Join(err, eval.ErrUntold, untold)
		}
	}
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return p, fmt.Errorf("what a worker says of a rollout: %w", err)
	}
	p.Journal = journal
	return p, nil
}

// Saved implements eval.Elsewhere.
func (e *Evals) Saved(ctx context.Context, w eval.Work, most money.USD) error {
	if e.purse != nil {
		if err := e.purse.Settle(ctx, journalOf(w), most); err != nil {
			return err
		}
	}
	_ = e.pool.Forget(ctx, journalOf(w)) // else the hub forgets it by itself
	return nil
}

// Close ends what is under way.
func (e *Evals) Close() error {
	if e.pool == nil {
		return nil
	}
	return e.pool.Close()
}

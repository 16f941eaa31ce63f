package rollout

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// Trainings has a training's rollouts played by a fleet.
type Trainings struct {
	c    *fleet.Conn
	pool *fleet.Pool
	data string // its hash, "" for none
}

// NewTrainings opens the coordinator's side. data is the path of what the environment's tasks come from, "" where it makes them
// itself. A training's items cost nothing, and one that is taken up again plays its step again: nothing is journaled.
func NewTrainings(ctx context.Context, c *fleet.Conn, data string) (t *Trainings, err error) {
	t = &Trainings{c: c}
	if data != "" {
		if t.data, err = keepPath(ctx, c, data); err != nil {
			return nil, err
		}
	}
	t.pool, err = c.Pool(fleet.KindRollout)
	return t, err
}

// Machines are the fleet's workers, as a training asks them.
func (t *Trainings) Machines() *grpo.Machines {
	return &grpo.Machines{Perform: t.perform, Keep: t.c.Keep, Data: t.data}
}

func (t *Trainings) perform(ctx context.Context, w grpo.Work) (done grpo.Performed, err error) {
	item, err := json.Marshal(payload{Training: &w})
	if err != nil {
		return done, err
	}
	body, err := t.pool.Do(ctx, item)
	if err == nil {
		err = json.Unmarshal(body, &done)
	}
	if err != nil {
		err = fmt.Errorf("rollouts on the fleet: %w", err)
	}
	return done, err
}

// Pool is what carries the rollouts.
func (t *Trainings) Pool() *fleet.Pool { return t.pool }

// Close ends what is under way.
func (t *Trainings) Close() error { return t.pool.Close() }

// Package reviews has a fleet review codebases: those of a list, and those of a bench. [Coordinator] is the side that asks,
// [Reviewer] the worker's.
//
// The code travels as a snapshot, which a worker fetches once. A worker opens the models by their names, with its own keys; a
// review's cap is its own, given with it. What it pays for stands in its journal at the hub before it is used.
package reviews

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bench"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// item is what a worker is asked.
type item struct {
	Work review.Work `json:"work"`
	Code string      `json:"code"` // hash of the snapshot
	Past []byte      `json:"past"`
}

// answer is what it gave.
type answer struct {
	Performed review.Performed `json:"performed"`
	Failure   *llm.Failure     `json:"failure,omitempty"` // came after all that the report says
}

// Coordinator has reviews performed by a fleet.
type Coordinator struct {
	Conn *fleet.Conn
	// Opened is told of the pool that carries a review. Defaults to nothing.
	Opened func(*fleet.Pool)
}

// Perform is a review.Elsewhere.
func (c Coordinator) Perform(ctx context.Context, w review.Work, code *codebase.Codebase, past []byte) (p review.Performed,
	journal []byte, err error) {
	name := w.Manifest.ID
	pool, err := c.Conn.Resumable(fleet.KindReview, name)
	if err != nil {
		return p, nil, err
	}
	if c.Opened != nil {
		c.Opened(pool)
	}
	defer func() { _ = pool.Close() }() // what cannot be taken back now is done for nobody
	body, journal, err := c.ask(ctx, pool, w, code, past)
	if err != nil {
		journal, sofar := pool.SoFar(ctx, name)
		if sofar == nil && bytes.HasPrefix(past, journal) { // nobody has written more
			journal = past
		}
		return p, journal, errors.Join(err, sofar)
	}
	var got answer
	if err := json.Unmarshal(body, &got); err != nil {
		return p, journal, fmt.Errorf("what a worker says of a review: %w", err)
	}
	if got.Failure != nil {
		err = got.Failure.Cause()
	}
	return got.Performed, journal, err
}

// ask has a worker review.
func (c Coordinator) ask(ctx context.Context, pool *fleet.Pool, w review.Work, code *codebase.Codebase, past []byte) (body, journal []byte,
	err error) {
	packed, err := code.Pack()
	if err != nil {
		return nil, nil, err
	}
	hash, err := c.Conn.Keep(ctx, packed)
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(item{Work: w, Code: hash, Past: past})
	if err != nil {
		return nil, nil, err
	}
	if err := pool.Supersede(ctx, text, w.Manifest.ID); err != nil {
		return nil, nil, err
	}
	return pool.Journaled(ctx, text, w.Manifest.ID)
}

// Reviewer reviews on a worker.
type Reviewer struct {
	// Env gives what a review takes from the program around it. It must be given.
	Env func() (review.Env, error)

	once  sync.Once
	cache *llm.Cache
}

// Handle does an item of fleet.KindReview.
func (r *Reviewer) Handle(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
	var of item
	if err := json.Unmarshal(i.Payload, &of); err != nil {
		return fleet.Output{}, err
	}
	packed, err := i.Conn().Blob(ctx, of.Code)
	if err != nil {
		return fleet.Output{}, err
	}
	code, err := codebase.Unpack(packed)
	if err != nil {
		return fleet.Output{}, err
	}
	env, err := r.Env()
	if err != nil {
		return fleet.Output{}, err
	}
	if env.Cache != nil { // what one worker was told, all are
		r.once.Do(func() { r.cache = env.Cache.Sharing(i.Conn()) })
		env.Cache = r.cache
	}
	journal, err := i.Journal(ctx, of.Work.Manifest.ID)
	if err != nil {
		return fleet.Output{}, err
	}
	past, err := journal.Trace(of.Past)
	if err != nil {
		return fleet.Output{}, err
	}
	w := trace.NewWriter(journal, int64(len(past)), time.Now, nil)
	done, err := bench.Perform(ctx, of.Work, code, w, past, env)
	if closed := w.Close(); closed != nil {
		return fleet.Output{}, closed
	}
	if err != nil && (ctx.Err() != nil || done.Report.Schema == 0) {
		return fleet.Output{}, err
	}
	body, err := json.Marshal(answer{done, llm.FailureOf(err)})
	return fleet.Output{Body: body, Settled: true}, err
}

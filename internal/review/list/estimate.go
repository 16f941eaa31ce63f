package list

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"golang.org/x/sync/errgroup"
)

// Estimate is what the reviews of a list would do: --dry-run prints it, and nothing is spent. Sums are over the repositories
// that could be looked at.
type Estimate struct {
	Repositories []Estimated `json:"repositories"`
	Failed       int         `json:"failed"` // those that could not be
	Files        int         `json:"files"`
	Lines        int         `json:"lines"`
	Dispatches   int         `json:"dispatches"`
	WorkerTokens int64       `json:"worker_input_tokens"`
	RootTokens   int64       `json:"root_input_tokens"`
	CostUSD      *float64    `json:"cost_usd"` // null: a price is unknown
	BudgetUSD    *float64    `json:"budget_usd"`
}

// Estimated is a repository of an estimate.
type Estimated struct {
	Entry
	Error string `json:"error,omitempty"` // why there is no estimate
	// Estimate is null where there is none; its path and its budget are the list's.
	Estimate *review.Estimate `json:"estimate"`
}

// DryRun estimates each review and leaves nothing: what is cloned for that is removed again. What is true of all reviews, such
// as a model that nobody has, is an error; what is true of one stands with it.
func DryRun(ctx context.Context, o Options, e Env) (Estimate, error) {
	for _, name := range []string{o.Review.Root, o.Review.Worker} {
		if _, err := e.Registry.Known(name); err != nil {
			return Estimate{}, err
		}
	}
	all := Estimate{Repositories: make([]Estimated, len(o.Entries)), CostUSD: new(float64)}
	if o.Budget != nil {
		all.BudgetUSD = new(o.Budget.Float64())
	}
	var mu sync.Mutex
	ended := 0
	var g errgroup.Group
	g.SetLimit(max(1, e.AtOnce))
	for i, entry := range o.Entries {
		g.Go(func() error {
			one := Estimated{Entry: entry}
			of, err := dryRun(ctx, entry, o, e)
			if err != nil {
				one.Error = explained(err)
			} else {
				one.Estimate = &of
			}
			mu.Lock()
			defer mu.Unlock()
			all.Repositories[i] = one
			if ended++; e.Say != nil && len(o.Entries) > 1 {
				e.Say(fmt.Sprintf("%d of %d: %s", ended, len(o.Entries), entry.Name))
			}
			return nil
		})
	}
	_ = g.Wait() // none gives an error
	for _, one := range all.Repositories {
		if one.Estimate == nil {
			all.Failed++
			continue
		}
		all.Files, all.Lines = all.Files+one.Estimate.Files, all.Lines+one.Estimate.Lines
		all.Dispatches += one.Estimate.Dispatches
		all.WorkerTokens, all.RootTokens = all.WorkerTokens+one.Estimate.WorkerTokens, all.RootTokens+one.Estimate.RootTokens
		all.CostUSD = money.Plus(all.CostUSD, one.Estimate.CostUSD)
	}
	return all, ctx.Err()
}

// dryRun estimates one review.
func dryRun(ctx context.Context, entry Entry, o Options, e Env) (of review.Estimate, err error) {
	each := o.Review
	each.Path, each.Commit, each.Budget = entry.Source, entry.Ref, nil
	if entry.remote() {
		dir, err := os.MkdirTemp("", "deeprepo-estimate-")
		if err != nil {
			return of, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		each.Path, each.Commit = filepath.Join(dir, entry.Name), ""
		if err := codebase.Clone(ctx, entry.Source, entry.Ref, each.Path, o.MaxCloneBytes); err != nil {
			return of, err
		}
	}
	if e.Trusted != nil {
		if err := e.Trusted(each.Path); err != nil {
			return of, err
		}
	}
	of, err = review.DryRun(ctx, each, e.Env)
	of.Path = entry.Source
	return of, err
}

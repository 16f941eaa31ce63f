package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

type reviewIn struct {
	Path    string  `json:"path" jsonschema:"directory of the codebase; relative ones are below the first root"`
	Base    string  `json:"base,omitempty" jsonschema:"review only what changed since the repository branched off this commit, tag or branch"`
	Head    string  `json:"head,omitempty" jsonschema:"with base: the commit with the change; default the work tree"`
	Preset  string  `json:"preset,omitempty" jsonschema:"what to look for, such as code or security; default code"`
	Budget  float64 `json:"budget,omitempty" jsonschema:"most that this review may cost, in USD; default all that the server has left"`
	Offline bool    `json:"offline,omitempty" jsonschema:"use static rules only, even where the server has a budget"`
}

type reviewOut struct {
	Run        string         `json:"run"`
	Status     string         `json:"status"`
	StopReason string         `json:"stop_reason"`
	Missing    []string       `json:"missing"` // what was asked for and is not there
	Root       string         `json:"root"`
	Worker     string         `json:"worker"`
	Findings   int            `json:"findings"`
	Severities map[string]int `json:"severities"`
	Suppressed int            `json:"suppressed"`
	Coverage   float64        `json:"coverage"` // share of lines that were judged
	Files      int            `json:"files"`
	Lines      int            `json:"lines"`
	CostUSD    *float64       `json:"cost_usd"` // null: unknown
	Seconds    float64        `json:"seconds"`
	New        *int           `json:"new,omitempty"`   // of a change: findings that it brings in
	Fixed      *int           `json:"fixed,omitempty"` // and those that it mends
	Top        []row          `json:"top"`             // what to do first
	Resources  []string       `json:"resources"`
}

func (s *Server) review(ctx context.Context, c *call, in reviewIn) (reviewOut, error) {
	path, err := resolve(c.roots, in.Path)
	if err != nil {
		return reviewOut{}, err
	}
	for _, ref := range []string{in.Base, in.Head} {
		if strings.HasPrefix(ref, "-") || strings.HasPrefix(ref, ".") || filepath.IsAbs(ref) {
			return reviewOut{}, hint.Wrap(fmt.Errorf("%q is not the name of a commit", ref), "base: main")
		}
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return reviewOut{}, context.Cause(ctx)
	}
	asked := Asked{Path: path, Base: in.Base, Head: in.Head, Preset: in.Preset, Offline: in.Offline || s.pool == nil}
	o, err := s.c.Options(asked)
	if err != nil {
		return reviewOut{}, err
	}
	held, err := s.hold(&o, in.Budget)
	if err != nil {
		return reviewOut{}, err
	}
	if err := os.MkdirAll(s.c.Runs, 0o755); err != nil {
		held.Release()
		return reviewOut{}, err
	}
	base := filepath.Join(s.c.Runs, filepath.Base(review.DefaultOut(path, time.Now())))
	if o.Out, err = rundir.Fresh(base, rundir.Kind{Name: "run", Leaves: "reports", By: "review"}); err != nil {
		held.Release()
		return reviewOut{}, err
	}
	tell, end := c.progress(ctx)
	out, err := review.Analyze(ctx, o, s.c.Env(reviewing(tell)))
	end()
	s.settle(held, o.Out, out)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = os.Remove(o.Out) // only where it is empty
		return reviewOut{}, err
	}
	return reviewed(filepath.Base(o.Out), out.Report), nil
}

// hold sets aside the most that a review may cost, and makes that its cap. Scripts and rules cost nothing.
func (s *Server) hold(o *review.Options, most float64) (*llm.Reservation, error) {
	none, _ := llm.NewBudget(0).Reserve(0)
	o.Budget = nil
	if o.Root == offline.Name && o.Worker == rules.Name && (o.Verifier == "" || o.Verifier == rules.Name) {
		return none, nil
	}
	if s.pool == nil {
		return nil, errors.New("a model that costs money was chosen without a budget") // Options does not do that
	}
	left, _ := s.pool.Remaining()
	if most < 0 || most != most {
		return nil, hint.New("the budget is not an amount of dollars", "leave it out for all that is left")
	}
	if asked := money.USD(min(most, 1e6) * float64(money.Dollar)); most > 0 {
		left = min(left, asked)
	}
	if left <= 0 {
		return nil, hint.New("the server's budget is used up", "review with offline: true, or start the server with a larger --budget")
	}
	held, err := s.pool.Reserve(left)
	if err == nil {
		o.Budget = &left
	}
	return held, err
}

// settle books what a review can have cost, all of what was held where that is unknown.
func (s *Server) settle(held *llm.Reservation, dir string, out review.Outcome) {
	_, begun := os.Stat(filepath.Join(dir, rundir.ManifestName))
	most := out.Report.Usage.AtMostUSD
	switch {
	case begun != nil:
		held.Release()
	case out.Dir == "" || most == nil:
		held.SettleUncertain()
	default:
		held.Settle(money.USD(*most * float64(money.Dollar)))
	}
}

// reviewing tells a client what a review does. Dispatches speak at the same time.
func reviewing(tell func(done, total float64, message string)) func(rlm.Progress) {
	var mu sync.Mutex
	turn, turns := 0, 0
	return func(p rlm.Progress) {
		mu.Lock()
		defer mu.Unlock()
		doing := p.Doing
		if p.Node == "" {
			turn, turns = p.Turn, p.MaxTurns
		} else {
			doing = "a child is " + doing
		}
		tell(float64(turn+p.Dispatches), 0, fmt.Sprintf("turn %d of %d, %s, %d of %d dispatches, coverage %.0f%%, %s",
			turn, turns, doing, p.Dispatches, p.DispatchesTotal, 100*p.Coverage, money.Text(p.Spent, "$?")))
	}
}

func reviewed(run string, r runfile.Report) reviewOut {
	out := reviewOut{Run: run, Status: string(r.Run.Status), StopReason: string(r.Run.StopReason), Missing: []string{}, Root: r.Run.Root,
		Worker: r.Run.Worker, Findings: len(r.Findings), Severities: map[string]int{}, Suppressed: len(r.Suppressed),
		Coverage: r.Coverage.Fraction, Files: r.Repo.Files, Lines: r.Repo.Lines, CostUSD: r.Usage.TotalCostUSD, Seconds: r.Run.DurationS,
		Top: []row{}, Resources: []string{}}
	for _, short := range r.Run.Shortfalls {
		out.Missing = append(out.Missing, short.Text)
	}
	if r.Change != nil {
		fixed := len(r.Fixed)
		out.New, out.Fixed = new(int), &fixed
	}
	byID := map[string]finding.Finding{}
	for _, f := range r.Findings {
		out.Severities[f.Severity]++
		if out.New != nil && f.Status == runfile.New {
			*out.New++
		}
		byID[f.ID] = f
	}
	for _, top := range r.Top {
		if f, ok := byID[top.ID]; ok {
			of := rowOf(f)
			of.Why = top.Why
			out.Top = append(out.Top, of)
		}
	}
	for _, form := range forms {
		out.Resources = append(out.Resources, uri(run, form.name))
	}
	return out
}

package rlm

import (
	"context"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Run lets a root model work on a codebase until it hands in its answer, its turns or its money are spent, or ctx ends.
// Whatever happens, the Result holds everything that was found. The error is for what makes a result worthless: a bad
// Config, a trace that cannot be written, a sandbox that does not start.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Result{}, err
	}
	worker, err := cfg.Models.Worker("", cfg.Budget)
	if err != nil {
		return Result{}, err
	}
	r := newRun(cfg, worker)
	n := &node{run: r, maxTurns: cfg.MaxTurns, pool: cfg.Budget}
	if n.handle, err = cfg.Models.Root(n.pool); err != nil {
		return Result{}, err
	}
	lastTurn := r.earmark(n.handle)
	r.system = n.system()
	start := trace.Event{Kind: trace.KindStart, Start: &trace.Start{
		Run: cfg.RunID, Fingerprint: cfg.Fingerprint, Resumed: len(cfg.Past) > 0, System: unrecorded(cfg.Past, r.system)}}
	if err := r.record(start, true); err != nil {
		return Result{}, err
	}
	replaying(cfg.Budget, cfg.Past)
	bookLost(cfg.Past, cfg.Budget, &r.root, &r.worker)
	end := n.loop(ctx)
	if end.reason == trace.StopBudget {
		n.synthesise(ctx, lastTurn)
	}
	if lastTurn != nil {
		lastTurn.Close() // money that the last turn did not need is left for the stages after the run
	}
	r.bookUnreached()
	if end.reason != trace.StopAnswer {
		r.takeUnreached()
	}
	result := r.result(n, end)
	closing := trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: result.Status, StopReason: result.StopReason}}
	return result, errors.Join(end.fatal, r.record(closing, true))
}

// loop is the recursion's body: ask the root, run its cells, show it what they printed.
func (n *node) loop(ctx context.Context) ending {
	session, err := n.open(ctx)
	if err != nil {
		return n.stopped(ctx, fmt.Errorf("open the sandbox: %w", err), true)
	}
	defer session.Close()

	n.turn = 1
	n.begin(n.opening() + "\n" + n.countdown(n.turn))
	for ; n.turn <= n.maxTurns; n.turn++ {
		n.progress("thinking")
		response, err := n.askRoot(ctx)
		if err != nil {
			return n.stopped(ctx, err, false)
		}
		n.unheard = &response
		blocks := extract(response)
		outputs, err := n.runCells(ctx, session, blocks)
		if err != nil {
			return n.stopped(ctx, err, true)
		}
		if err := n.run.journal.w.Sync(); err != nil {
			return ending{reason: trace.StopReason(err.Error()), fatal: err}
		}
		if n.accepted {
			return ending{reason: trace.StopAnswer}
		}
		first := n.number - len(blocks) + 1
		n.digest(n.turn, blocks, first, outputs)
		if n.turn == n.maxTurns {
			n.answer = prose(response.Text)
			break
		}
		if len(blocks) == 0 {
			n.run.count(func(m *Metrics) { m.TurnsWithoutCell++ })
		}
		n.tell(response, blocks, first, outputs, n.countdown(n.turn+1))
		if err := n.compact(); err != nil {
			return ending{reason: trace.StopReason(err.Error()), fatal: err}
		}
	}
	n.turn = n.maxTurns
	return ending{reason: trace.StopTurns}
}

// open starts the node's REPL. A child that a cell asks for gets a loop of its own.
func (n *node) open(ctx context.Context) (*sandbox.Session, error) {
	setup, err := n.setup()
	if err != nil {
		return nil, err
	}
	names := surface{node: n, loop: func(ctx context.Context, child *node) ending { return child.loop(ctx) }}
	return n.run.cfg.Sandbox.NewSession(ctx, sandbox.SessionConfig{
		Limits:  sandbox.Limits{Wall: n.run.cfg.CellWall},
		Prelude: prelude, Setup: setup, Host: names.host, Watch: true,
	})
}

// stopped turns an error into the reason why a loop ended.
func (n *node) stopped(ctx context.Context, err error, engine bool) ending {
	if fault := n.run.faulty(); fault != nil {
		return ending{reason: trace.StopReason(fault.Error()), fatal: fault}
	}
	switch {
	case ctx.Err() != nil:
		return ending{reason: trace.StopInterrupted}
	case errors.Is(err, llm.ErrBudget):
		return ending{reason: trace.StopBudget}
	case engine:
		return ending{reason: trace.StopReason(err.Error()), fatal: err}
	}
	return ending{reason: trace.StopReason("the root model failed: " + err.Error()), cause: err}
}

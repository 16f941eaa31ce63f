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
	end := n.loop(ctx)
	if end.reason == trace.StopBudget {
		n.synthesise(ctx, lastTurn)
	}
	if lastTurn != nil {
		lastTurn.Close() // what the last turn did not need is there for what comes after the run
	}
	result := r.result(n, end)
	closing := trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: result.Status, StopReason: result.StopReason}}
	return result, errors.Join(end.fatal, r.record(closing, true))
}

// ending says why a loop stopped.
type ending struct {
	reason trace.StopReason
	fatal  error // the engine itself failed
	cause  error // the root model failed
}

// loop is the recursion's body: ask the root, run its cells, show it what they printed.
func (n *node) loop(ctx context.Context) ending {
	session, err := n.open(ctx)
	if err != nil {
		return n.stopped(ctx, fmt.Errorf("open the sandbox: %w", err), true)
	}
	defer session.Close()

	n.turn = 1
	n.first = n.opening() + "\n" + n.countdown()
	n.messages = []llm.Message{{Role: llm.RoleUser, Content: n.first}}
	for ; n.turn <= n.maxTurns; n.turn++ {
		n.progress("thinking")
		response, err := n.askRoot(ctx)
		if err != nil {
			return n.stopped(ctx, err, false)
		}
		n.untold = &response
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
		n.digests = append(n.digests, turnDigest{turn: n.turn, text: digestTurn(n.turn, blocks, outputs), first: len(n.messages)})
		if n.turn == n.maxTurns {
			n.answer = prose(response.Text)
			break
		}
		n.tell(response, blocks, outputs)
		if err := n.compact(); err != nil {
			return ending{reason: trace.StopReason(err.Error()), fatal: err}
		}
	}
	n.turn = n.maxTurns
	return ending{reason: trace.StopTurns}
}

// open starts the node's REPL.
func (n *node) open(ctx context.Context) (*sandbox.Session, error) {
	setup, err := n.setup()
	if err != nil {
		return nil, err
	}
	return n.run.cfg.Sandbox.NewSession(ctx, sandbox.SessionConfig{
		Limits:  sandbox.Limits{Wall: n.run.cfg.CellWall},
		Prelude: prelude, Setup: setup, Host: n.host, Watch: true,
	})
}

// askRoot gets the root's next reply, out of the journal if it is there.
func (n *node) askRoot(ctx context.Context) (llm.Response, error) {
	key := turnKey(n.id, n.turn)
	// A run that spent its budget wrote its report; with a larger one it goes on, and that report is still on the bill.
	n.settle(synthesisKey(key))
	if reply := n.settle(key); reply != nil {
		return recorded(reply), nil
	}
	request := llm.Request{
		System:    n.system(),
		Messages:  n.messages,
		MaxTokens: n.run.cfg.RootTokens,
	}
	if n.handle.Tools {
		request.Tools = []llm.Tool{executePython}
		if n.turn >= n.maxTurns-1 {
			request.ToolChoice = llm.ToolChoiceRequired
		}
	}
	return n.paidReply(ctx, key, n.handle, request, n.lastMessage(), false)
}

// paidReply calls a root model and journals the reply before anybody sees it.
func (n *node) paidReply(ctx context.Context, key string, h llm.Handle, request llm.Request, message string, synthesis bool) (llm.Response, error) {
	started := n.run.cfg.Now()
	response, err := h.Model.Complete(ctx, request)
	if err != nil {
		if u, ok := BilledFailure(err, h.Price); ok {
			n.run.charge(&n.run.root, u, false)
			failed := &trace.Root{Model: h.Name, Message: message, Error: err.Error(), Usage: u, Synthesis: synthesis}
			e := trace.Event{Kind: trace.KindRoot, Node: n.id, Turn: n.turn, Key: key, Hash: request.Hash(h.Name), Root: failed}
			if err := n.run.record(e, true); err != nil {
				n.run.fault(err)
			}
		}
		return response, err
	}
	root := &trace.Root{
		Model: h.Name, Message: message, Text: response.Text, Reasoning: response.Reasoning, Finish: response.Finish,
		Usage: usageOf(response), Synthesis: synthesis, Seconds: n.run.cfg.Now().Sub(started).Seconds(),
	}
	if synthesis {
		root.System = request.System
	}
	for _, c := range response.ToolCalls {
		root.ToolCalls = append(root.ToolCalls, trace.ToolCall(c))
	}
	e := trace.Event{Kind: trace.KindRoot, Node: n.id, Turn: n.turn, Key: key, Hash: request.Hash(h.Name), Root: root}
	if err := n.run.record(e, true); err != nil {
		n.run.fault(err)
		return response, err
	}
	n.run.charge(&n.run.root, root.Usage, false)
	return response, nil
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

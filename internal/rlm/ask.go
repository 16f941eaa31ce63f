package rlm

import (
	"context"
	"slices"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Question is a prompt for a worker that no cell asked: a review's second look at its own findings.
type Question struct {
	Key     string // its place in the journal, the same in every execution of the run
	Node    string // the stage that asks, for the trace
	Model   string // "" is the configured worker
	Request llm.Request
}

// Asked is what questions outside of the loop cost, to be added to a Result's.
type Asked struct {
	Usage    RoleUsage
	Answers  int
	Errors   int
	NoMoney  int // refused by the budget
	Unasked  int // the run was stopped before
	LastFail string
}

// Ask puts questions to workers in parallel and gives the dispatches in their order. The loop's rules hold: an answer is
// in the journal before it is used, one that the journal has is not paid for again, what failed is asked again, secrets
// are redacted, and at most Config.Concurrency are in progress at once. A failure is a dispatch with its Error.
//
// The error is for a journal that cannot be written. take sees every dispatch as it comes, concurrently.
func Ask(ctx context.Context, cfg Config, questions []Question, take func(i int, d trace.Dispatch)) (Asked, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Asked{}, err
	}
	r := &run{cfg: cfg, journal: newJournal(cfg.Trace, cfg.Past), slots: make(chan struct{}, cfg.Concurrency)}
	r.memo.recall(cfg.Past)
	var total Asked
	answers := parallel(len(questions), cfg.Concurrency, func(i int) trace.Dispatch {
		d := r.put(ctx, questions[i])
		take(i, d)
		return d
	})
	for _, d := range answers {
		switch {
		case d.Error == "":
			total.Answers++
		case d.Error == noMoney:
			total.NoMoney++
		case stoppedUnpaid(ctx, d):
			total.Unasked++
		default:
			total.Errors, total.LastFail = total.Errors+1, d.Error
		}
	}
	total.Usage = r.worker
	return total, r.faulty()
}

// NoMoney reports a dispatch that the budget refused.
func NoMoney(d trace.Dispatch) bool { return d.Error == noMoney }

// put answers one question.
func (r *run) put(ctx context.Context, q Question) trace.Dispatch {
	n := &node{run: r, id: q.Node, pool: r.cfg.Budget}
	h, err := r.cfg.Models.Worker(q.Model, n.pool)
	if err != nil {
		return trace.Dispatch{Model: q.Model, Error: err.Error(), Usage: trace.Usage{CostPico: new(int64)}}
	}
	request, redacted := q.Request, 0
	request.Messages = slices.Clone(request.Messages)
	if !h.Local && r.cfg.Redact != nil {
		for i, m := range request.Messages {
			text, count := r.cfg.Redact.Redact(m.Content)
			request.Messages[i].Content, redacted = text, redacted+count
		}
	}
	d := trace.Dispatch{Model: h.Name, Redacted: redacted}
	for _, m := range request.Messages {
		d.Prompt += m.Content
	}
	got, past := n.get(ctx, q.Key, q.Key, h, request, d)
	if past || got.Error == "" || billed(got.Usage) {
		r.charge(&r.worker, got.Usage, got.Cached)
	}
	return got
}

// Add books what questions outside of the loop cost with a result's workers.
func (r *Result) Add(a Asked) {
	u := a.Usage
	r.Worker.Calls += u.Calls
	r.Worker.Input += u.Input
	r.Worker.Output += u.Output
	r.Worker.CachedInput += u.CachedInput
	r.Worker.Cost = money.AddUSD(r.Worker.Cost, u.Cost)
	r.Worker.AtMost = money.AddUSD(r.Worker.AtMost, u.AtMost)
	r.Worker.UnknownCost += u.UnknownCost
	r.Metrics.Dispatches += a.Answers + a.Errors + a.NoMoney
	r.Metrics.DispatchErrors += a.Errors + a.NoMoney
	if r.Status == trace.StatusCompleted {
		switch {
		case a.NoMoney > 0:
			r.StopReason = trace.StopBudget
		case a.Unasked > 0:
			r.StopReason = trace.StopInterrupted
		case a.Errors > 0 && a.Answers == 0:
			r.StopReason = trace.StopReason("no verifier answered: " + a.LastFail)
		}
	}
	r.Lack(trace.ShortBudget, a.NoMoney, 0)
	r.Lack(trace.ShortStopped, a.Unasked, 0)
	r.Lack(trace.ShortFailed, a.Errors, 0)
}

package rlm

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// reply is one element of what llm_batch returns.
type reply struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

// dispatchAll sends prompts to workers in parallel and returns one reply for each, in order. At most
// Config.Concurrency dispatches of the whole run are in progress at once. A failure is a reply, never a lost batch.
func (n *node) dispatchAll(ctx context.Context, prompts []string, model string, purpose trace.Purpose) []reply {
	return n.each(len(prompts), func(i int, key, cell string) reply {
		d := n.dispatch(ctx, key, cell, prompts[i], model, purpose)
		return reply{Text: d.Reply, Error: d.Error}
	})
}

// each makes count dispatches of one batch in parallel, each under a key of its own.
func (n *node) each(count int, dispatch func(i int, key, cell string) reply) []reply {
	n.batch++
	n.run.expect(count)
	n.progress("reading")
	n.dispatches += count
	if count > 1 {
		n.run.count(func(m *Metrics) { m.BatchedDispatches += count })
	}
	cell := cellKey(turnKey(n.id, n.turn), n.cell)
	batch := n.batch
	return parallel(count, n.run.cfg.Concurrency, func(i int) reply { return dispatch(i, callKey(cell, batch, i+1), cell) })
}

// dispatch answers one prompt.
func (n *node) dispatch(ctx context.Context, key, cell, prompt, model string, purpose trace.Purpose) trace.Dispatch {
	r := n.run
	h, err := r.cfg.Models.Worker(model, n.pool)
	if err != nil {
		return n.fail(key, prompt, trace.Dispatch{Model: model, Prompt: prompt, Purpose: purpose}, err)
	}
	sent, redacted := prompt, 0
	if !h.Local && r.cfg.Redact != nil {
		sent, redacted = r.cfg.Redact.Redact(prompt)
	}
	d := trace.Dispatch{Model: h.Name, Prompt: sent, Redacted: redacted, Purpose: purpose}
	if h.Rules {
		r.mu.Lock()
		r.rules[h.Name] = true
		r.mu.Unlock()
	}
	if most := 4 * h.Context; h.Context > 0 && len(sent) > most {
		return n.fail(key, prompt, d, fmt.Errorf("the prompt has %d characters, more than %s can hold (about %d): split it",
			len(sent), h.Name, promptChars(h, r.cfg.WorkerTokens)))
	}
	held := r.ledger.Match(prompt)
	d.Files, d.Schema = held.Files[:min(len(held.Files), trace.MaxFiles)], h.Schema && purpose == trace.PurposeReview
	request := r.workerRequest(h, sent)
	if purpose == trace.PurposeQuestion {
		request = r.questionRequest(h, sent)
	}
	got, past := n.get(ctx, key, cell, h, request, d)
	if !past && stoppedUnpaid(ctx, got) {
		return got
	}
	return n.take(key, held, got)
}

// get answers a request: out of the journal (past), out of this run's memo, or by the worker. d is what is known of the
// dispatch before. What was billed for replies that are of no use is booked, the answer itself not.
func (n *node) get(ctx context.Context, key, cell string, h llm.Handle, request llm.Request, d trace.Dispatch) (got trace.Dispatch,
	past bool) {
	r, hash := n.run, request.Hash(h.Name)
	recorded, vain := r.journal.dispatched(key, hash, cell)
	for _, u := range vain {
		n.replayed(&r.workerAgain, u, false)
		r.charge(&r.worker, u, false)
	}
	if recorded != nil {
		n.replayed(&r.workerAgain, recorded.Usage, recorded.Cached)
		return *recorded, true
	}
	// The reply is in the journal before those who wait for the same one get it.
	got, shared := r.memo.do(ctx, hash, func() trace.Dispatch {
		return n.keep(ctx, key, hash, n.call(ctx, h, llm.Reserving(r.journal.w, request, key, false), d))
	})
	if shared {
		got.Prompt, got.Redacted, got.Files = d.Prompt, d.Redacted, d.Files
		got = n.keep(ctx, key, hash, got)
	}
	return got, false
}

// keep journals a dispatch that is over.
func (n *node) keep(ctx context.Context, key, hash string, d trace.Dispatch) trace.Dispatch {
	if stoppedUnpaid(ctx, d) {
		if err := llm.Settled(n.run.journal.w, key); err != nil {
			n.run.fault(err)
		}
		return d
	}
	e := trace.Event{Kind: trace.KindDispatch, Node: n.id, Turn: n.turn, Key: key, Hash: hash, Dispatch: &d}
	if err := n.run.record(e, !d.Cached && (d.Error == "" || billed(d.Usage))); err != nil {
		n.run.fault(err)
		d.Error = err.Error()
	}
	return d
}

// stoppedUnpaid reports a dispatch that the user stopped, not the worker refused, before it cost anything: there is
// nothing to record.
func stoppedUnpaid(ctx context.Context, d trace.Dispatch) bool {
	return d.Error != "" && ctx.Err() != nil && !billed(d.Usage)
}

// workerRequest is the request to a worker: the preset's instructions, the prompt, the findings' schema.
func (r *run) workerRequest(h llm.Handle, prompt string) llm.Request {
	cold := 0.0
	return llm.Request{
		System: r.cfg.Preset.Worker, Messages: []llm.Message{{Role: llm.RoleUser, Content: prompt}},
		MaxTokens: r.replyTokens(h), Temperature: &cold,
		Schema: &llm.Schema{Name: "review", JSON: finding.Schema()},
		Usable: func(reply llm.Response) bool {
			p, err := finding.Parse(reply.Text)
			return err == nil && !p.Refused() && !p.Cut && p.Dropped == 0 && !(h.Schema && p.Form == finding.FormText)
		},
	}
}

// questionRequest asks a worker for an answer in its own words.
func (r *run) questionRequest(h llm.Handle, prompt string) llm.Request {
	cold := 0.0
	return llm.Request{
		System: questionPrompt, Messages: []llm.Message{{Role: llm.RoleUser, Content: prompt}},
		MaxTokens: r.replyTokens(h), Temperature: &cold,
		Usable: func(reply llm.Response) bool {
			p, err := finding.Parse(reply.Text)
			return err != nil || !p.Refused()
		},
	}
}

// call waits for a slot and asks the worker.
func (n *node) call(ctx context.Context, h llm.Handle, request llm.Request, d trace.Dispatch) trace.Dispatch {
	d.Usage.CostPico = new(int64) // what is not sent costs nothing
	select {
	case n.run.slots <- struct{}{}:
		defer func() { <-n.run.slots }()
	case <-ctx.Done():
		d.Error = ctx.Err().Error()
		return d
	}
	if err := cmp.Or(n.run.faulty(), ctx.Err()); err != nil { // the slot may have come with the end
		d.Error = err.Error()
		return d
	}
	started := n.run.cfg.Now()
	response, err := h.Model.Complete(ctx, request)
	d.Seconds = n.run.cfg.Now().Sub(started).Seconds()
	d.Usage, d.Cached = llm.UsageOf(response), response.FromCache
	switch {
	case err != nil:
		d.Error, d.Failure, d.Usage = err.Error(), string(llm.KindOf(err)), llm.FailedUsage(err, h.Price)
		if errors.Is(err, llm.ErrBudget) {
			d.Error = noMoney
		}
	case response.Finish == llm.FinishFilter:
		d.Error, d.Failure = "the worker's provider refused to answer (content filter)", string(llm.KindFiltered)
	case response.Text == "":
		d.Error, d.Failure = "the worker's reply was empty", string(llm.KindEmpty)
	default:
		d.Reply = response.Text
		if response.Finish != llm.FinishStop {
			d.Finish = string(response.Finish)
		}
	}
	return d
}

// held is the code that a journaled dispatch had read: what a second opinion was shown was no reading.
func (r *run) held(d trace.Dispatch) coverage.Prompt {
	if d.Purpose == trace.PurposeVerdict {
		return r.ledger.Match("")
	}
	return r.ledger.Match(d.Prompt)
}

// take books a dispatch that is over: usage, coverage, findings. It is the only place where they are counted, for live
// and for journaled ones alike.
func (n *node) take(key string, held coverage.Prompt, d trace.Dispatch) trace.Dispatch {
	if d.Error == "" || billed(d.Usage) {
		n.run.charge(&n.run.worker, d.Usage, d.Cached)
	}
	n.run.book(key, held, d)
	n.progress("reading")
	return d
}

// book counts a dispatch that is over: coverage and findings.
func (r *run) book(key string, held coverage.Prompt, d trace.Dispatch) {
	if d.Error == "" || billed(d.Usage) {
		r.ledger.Sent(held)
	}
	r.mu.Lock()
	rules := r.rules[d.Model]
	r.mu.Unlock()
	claims, parsed, err := harvestOf(r.cfg, d.Reply, key, held.Files, rules)
	got := readingOf(d, parsed, err, held)
	if got.short == "" {
		r.ledger.Answered(held, r.unjudged(d.Reply)...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.metrics.Dispatches++
	r.read[key] = got
	switch {
	case d.Error != "":
		r.metrics.DispatchErrors++
		if key >= r.lastKey {
			r.lastKey, r.lastErr = key, d.Error
		}
	default:
		if d.Cached {
			r.metrics.CachedDispatches++
		}
		if d.Purpose == trace.PurposeReview {
			r.found.Claim(key, claims)
		}
	}
}

// fail records a dispatch that could not be sent at all.
func (n *node) fail(key, prompt string, d trace.Dispatch, err error) trace.Dispatch {
	d.Error = err.Error()
	d.Usage.CostPico = new(int64)
	e := trace.Event{Kind: trace.KindDispatch, Node: n.id, Turn: n.turn, Key: key, Dispatch: &d}
	if _, done := n.run.journal.lookup(key, trace.KindDispatch); !done {
		if err := n.run.record(e, false); err != nil {
			n.run.fault(err)
		}
	}
	return n.take(key, n.run.ledger.Match(prompt), d)
}

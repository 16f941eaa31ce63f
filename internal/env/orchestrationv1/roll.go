package orchestrationv1

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// stopTooLong is verifiers' word for a conversation that outgrew the model. It is not an error there.
const stopTooLong = "prompt_too_long"

// AttemptError is an Attempt that this environment cannot play.
type AttemptError struct{ What, Want string }

// Error says what is wrong.
func (e *AttemptError) Error() string { return "orchestration-v1: " + e.What }

// Hint says what to do instead.
func (e *AttemptError) Hint() string { return e.Want }

// rollout is one attempt in progress.
type rollout struct {
	env.Attempt
	task    *problem
	limits  sandbox.Limits
	journal *journal
	root    llm.Handle
	repl    *repl
	out     env.Rollout

	messages     []llm.Message
	turn, played int // the turn that is on, and how many are over
	cell         string
	batch, item  int // of the cell, of the batch
	counts       counted
	lastError    string
}

// Roll plays one rollout.
func (e *Environment) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	p, ok := t.Private.(*problem)
	switch {
	case !ok:
		return env.Rollout{}, &AttemptError{fmt.Sprintf("task %q is not one of its own", t.ID),
			"use a task of this environment, or make one with From"}
	case a.Root == nil || a.Sandbox == nil || a.Trace == nil:
		return env.Rollout{}, &AttemptError{"an Attempt needs Root, Sandbox and Trace", ""}
	case a.Worker != nil:
		return env.Rollout{}, &AttemptError{"its workers are mocked, no other can be used",
			"leave the worker out, or play the environment orchestration"}
	case a.Strategy != "" && a.Strategy != env.StrategyRLM:
		return env.Rollout{}, &AttemptError{fmt.Sprintf("it has no strategy %q", a.Strategy),
			"use the strategy rlm, or play the environment orchestration"}
	}
	if a.MaxTurns <= 0 {
		a.MaxTurns = referenceTurns
	}
	if a.RootTokens <= 0 {
		a.RootTokens = llm.DefaultMaxTokens
	}
	if a.Now == nil {
		a.Now = time.Now
	}
	if a.Observe == nil {
		a.Observe = func(rlm.Progress) {}
	}
	r := &rollout{Attempt: a, task: p, limits: e.limits}
	r.journal = newJournal(a.Trace, a.Past, &r.out.Root)
	return r.play(ctx)
}

// play is the whole rollout: turns, then the reward.
func (r *rollout) play(ctx context.Context) (env.Rollout, error) {
	began := r.Now()
	var err error
	if r.root, err = r.Root(r.Budget); err != nil {
		return r.out, err
	}
	start := &trace.Start{Run: r.ID, Resumed: len(r.Past) > 0}
	if !start.Resumed {
		start.System = systemPrompt
	}
	if err := r.journal.add(trace.Event{Kind: trace.KindStart, Start: start}, true); err != nil {
		return r.out, err
	}
	if r.repl, err = openREPL(ctx, r.Sandbox, r.limits, r.task, r.dispatched); err != nil {
		return r.ended(ctx, began, err)
	}
	defer r.repl.close()
	r.messages = []llm.Message{{Role: llm.RoleUser, Content: r.task.question}}
	r.out.Prompt = []llm.Message{{Role: "system", Content: systemPrompt}, r.messages[0]}
	// Verifiers asks MaxTurns times and runs each reply when it asks again: the last reply is never run.
	for r.turn = 1; r.turn < r.MaxTurns && !r.repl.report.Ready; r.turn++ {
		reply, err := r.ask(ctx)
		if err != nil {
			return r.ended(ctx, began, err)
		}
		r.messages = append(r.messages, llm.Message{Role: llm.RoleAssistant, Content: reply.Text})
		seen, err := r.respond(ctx, reply.Text)
		if err != nil {
			return r.ended(ctx, began, &engineError{err})
		}
		r.played++
		if !r.repl.report.Ready {
			r.messages = append(r.messages, llm.Message{Role: llm.RoleUser, Content: seen})
		}
	}
	return r.ended(ctx, began, nil)
}

// ask gets the root's next reply, out of the journal if it is there.
func (r *rollout) ask(ctx context.Context) (llm.Response, error) {
	r.observe("thinking")
	if past := r.journal.reply(r.turn); past != nil {
		r.out.Root.Add(past.Usage)
		return recorded(past), nil
	}
	request := llm.Request{System: systemPrompt, Messages: r.messages, MaxTokens: r.RootTokens, Turn: true}
	record := &trace.Root{Model: r.root.Name, Message: r.messages[len(r.messages)-1].Content}
	event := trace.Event{Kind: trace.KindRoot, Turn: r.turn, Key: turnKey(r.turn), Hash: request.Hash(r.root.Name), Root: record}
	asked := r.Now()
	reply, err := r.root.Model.Complete(ctx, llm.Reserving(r.journal.w, request, event.Key, true))
	record.Seconds = r.Now().Sub(asked).Seconds()
	if err != nil {
		if usage, billed := rlm.BilledFailure(err, r.root.Price); billed {
			r.out.Root.Add(usage)
			record.Usage, record.Error = usage, err.Error()
			if err := r.journal.add(event, true); err != nil {
				return reply, &engineError{err}
			}
		} else if err := llm.Settled(r.journal.w, event.Key); err != nil {
			return reply, &engineError{err}
		}
		return reply, err
	}
	record.Text, record.Reasoning, record.Finish, record.Usage = reply.Text, reply.Reasoning, string(reply.Finish), llm.UsageOf(reply)
	if err := r.journal.add(event, true); err != nil {
		return reply, &engineError{err}
	}
	r.out.Root.Add(record.Usage)
	return reply, nil
}

// dispatched journals a batch of mocked dispatches. The guest calls it before the cell sees the replies.
func (r *rollout) dispatched(more bool, batch []dispatch) error {
	if !more {
		r.batch, r.item = r.batch+1, 0
	}
	for _, d := range batch {
		r.item++
		r.out.Worker.Calls++
		if err := r.journal.add(trace.Event{
			Kind: trace.KindDispatch, Turn: r.turn, Key: callKey(r.cell, r.batch, r.item),
			Dispatch: &trace.Dispatch{Model: "mock", Prompt: d.Prompt, Reply: d.Reply, Usage: trace.Usage{CostPico: new(int64)}},
		}, false); err != nil {
			return err
		}
	}
	return nil
}

// engineError is a fault of the engine, not of the policy.
type engineError struct{ error }

func (e *engineError) Unwrap() error { return e.error }

// ended scores what there is and closes the journal. cause is what ended the rollout before its answer or its last turn.
func (r *rollout) ended(ctx context.Context, began time.Time, cause error) (env.Rollout, error) {
	out := &r.out
	out.Turns, out.Generation = r.played, r.Now().Sub(began)
	var fault error
	status := trace.StatusPartial
	switch engine := (*engineError)(nil); {
	case cause == nil && r.repl.report.Ready:
		out.Stop, status = env.StopAnswer, trace.StatusCompleted
	case cause == nil:
		out.Stop = env.StopTurns
	case ctx.Err() != nil:
		out.Stop = env.StopInterrupted
	case r.repl == nil || errors.As(cause, &engine):
		out.Stop, out.Error, fault = env.StopError, cause.Error(), cause
	case errors.Is(cause, llm.ErrBudget):
		out.Stop = env.StopBudget
	case llm.KindOf(cause) == llm.KindContextLength:
		out.Stop = stopTooLong
	default:
		out.Stop, out.Error = env.StopError, cause.Error()
	}
	if len(r.messages) > 0 {
		out.Completion = r.messages[1:]
	}
	if r.repl != nil {
		scoring := r.Now()
		r.score()
		out.Scoring = r.Now().Sub(scoring)
	}
	reason := out.Stop
	if out.Error != "" {
		reason = out.Error
	}
	closing := r.journal.w.AppendDurable(trace.Event{Kind: trace.KindEnd,
		End: &trace.End{Status: status, StopReason: trace.StopReason(reason)}})
	return *out, errors.Join(fault, closing)
}

func (r *rollout) observe(doing string) {
	p := rlm.Progress{Turn: r.turn, MaxTurns: r.MaxTurns, Doing: doing, Dispatches: r.out.Worker.Calls, DispatchesTotal: r.out.Worker.Calls}
	if f := r.repl.report.TotalFiles; f != nil {
		p.Coverage = Coverage(r.repl.report.Unique, *f)
	}
	r.Observe(p)
}

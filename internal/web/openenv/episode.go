package openenv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// rootName is the name under which the client's policy stands in traces.
const rootName = "openenv/client"

// reply is what the client's policy answered.
type reply struct {
	text   string
	finish llm.Finish
	usage  *llm.Usage // nil: to be estimated
}

// ask is the policy's turn: what it is to see.
type ask struct {
	system     string        // on the first turn only
	message    string        // what is new
	transcript []llm.Message // the whole conversation, when it is not the earlier one with the new message at its end
}

// episode is one rollout whose policy sits at the other end of a connection. Its methods are for one goroutine, but for
// stop, which any may call.
type episode struct {
	id        string
	task      env.Task
	selection env.Selection
	index     int
	rollout   int
	maxTurns  int
	bareCells bool

	life    context.Context    // ends when no one waits for the episode any more
	leave   context.CancelFunc // ends life
	turn    chan struct{}      // holds a token while a root's question is open: child roots play one after the other
	speaker *policy            // who asked last; guarded by turn
	asks    chan ask
	replies chan reply
	done    chan struct{} // Roll has returned
	roll    env.Rollout   // after done
	err     error         // after done
	steps   int
	over    bool // the client has seen the end
}

// start begins a rollout. It is over soon after life: at the policy's next turn, or when the cell in progress has had
// its grace.
func (s *Server) start(life context.Context, e *episode) error {
	journal, err := s.openTrace(e)
	if err != nil {
		return err
	}
	e.life, e.leave = context.WithCancel(life)
	ctx, cancel := context.WithCancel(context.WithoutCancel(life))
	e.turn, e.asks, e.replies, e.done = make(chan struct{}, 1), make(chan ask), make(chan reply), make(chan struct{})
	attempt := env.Attempt{
		Root: func(*llm.Budget) (llm.Handle, error) {
			return llm.Handle{Name: rootName, Model: &policy{episode: e, end: cancel}, Price: llm.NotBilled()}, nil
		},
		Sandbox: s.c.Sandbox, Trace: journal.w, ID: e.id, Seed: s.c.Luck(e.selection.Seed, e.index, e.rollout),
		MaxTurns: s.c.MaxTurns, Concurrency: s.c.Concurrency, Now: s.c.Now,
	}
	if s.c.Worker != nil {
		attempt.Worker = func(name string, pool *llm.Budget) (llm.Handle, error) {
			h, err := s.c.Worker(name, pool)
			h.Model = mortal{h.Model, e.life}
			return h, err
		}
	}
	go func() {
		defer close(e.done)
		defer e.leave()
		defer cancel()
		defer context.AfterFunc(e.life, func() { s.grace(e, cancel) })()
		defer func() {
			if v := recover(); v != nil { // one episode's defect must not end a thousand others
				s.c.Log.Error("an environment panicked", "episode", e.id, "task", e.task.ID, "panic", v, "stack", string(debug.Stack()))
				e.err = fmt.Errorf("the environment panicked: %v", v)
			}
			if err := journal.finish(e.err == nil && finished(e.roll)); err != nil && e.err == nil {
				e.err = err
			}
		}()
		e.roll, e.err = s.c.Environment.Roll(ctx, e.task, attempt)
	}()
	return nil
}

// grace ends a rollout whose client is gone: a moment later, or at once when the server ends.
func (s *Server) grace(e *episode, cancel context.CancelFunc) {
	timer := time.NewTimer(s.c.Grace)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-e.done:
	case <-s.base.Done():
	}
	cancel()
}

// mortal is a worker that stops answering once the client is gone: its cost would be wasted.
type mortal struct {
	model llm.Model
	life  context.Context
}

// Complete asks the worker.
func (m mortal) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.life, cancel)()
	return m.model.Complete(ctx, r)
}

func finished(r env.Rollout) bool { return r.Stop != env.StopInterrupted && r.Stop != "" }

// stop ends the rollout and returns when nothing of it is left.
func (e *episode) stop() {
	e.leave()
	<-e.done
}

// errInterrupted says that an episode ended before its policy was done.
var errInterrupted = errors.New("the episode was interrupted")

// wait returns the policy's next turn, or nil once the rollout is over.
func (e *episode) wait(ctx context.Context) (*ask, error) {
	select {
	case a := <-e.asks:
		return &a, nil
	case <-e.done:
		e.over = true
		if e.err != nil {
			return nil, e.err
		}
		if !finished(e.roll) {
			return nil, cause(e.life)
		}
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// cause is why an episode was interrupted.
func cause(life context.Context) error {
	if why := context.Cause(life); why != nil && !errors.Is(why, context.Canceled) {
		return why
	}
	return errInterrupted
}

// step hands the policy's reply in and waits for what comes of it.
func (e *episode) step(ctx context.Context, r reply) (*ask, error) {
	if e.bareCells && r.text != "" && !strings.Contains(r.text, "```") {
		r.text = "```python\n" + r.text + "\n```"
	}
	select {
	case e.replies <- r:
		e.steps++
	case <-e.done: // the rollout ended of itself while the client was thinking
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return e.wait(ctx)
}

// policy is the root model of an episode: it hands the question to the client and waits for the answer. When the client
// is gone, the rollout ends: no cell is running now.
type policy struct {
	episode *episode
	end     context.CancelFunc
	system  string
	told    []llm.Message // the conversation as the client knows it
}

// Complete waits for the client.
func (p *policy) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	e := p.episode
	defer func() {
		if e.life.Err() != nil {
			p.end()
		}
	}()
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-e.life.Done():
		return llm.Response{}, canceled(ctx)
	case <-ctx.Done():
		return llm.Response{}, canceled(ctx)
	}
	select {
	case e.asks <- p.news(r):
	case <-e.life.Done():
		return llm.Response{}, canceled(ctx)
	case <-ctx.Done():
		return llm.Response{}, canceled(ctx)
	}
	select {
	case answer := <-e.replies:
		reasoning, text := llm.SplitThink(answer.text)
		p.told = append(slices.Clone(r.Messages), llm.Message{Role: llm.RoleAssistant, Content: text})
		response := llm.Response{Text: text, Reasoning: reasoning, Finish: answer.finish, Model: rootName, Usage: estimate(r, answer.text)}
		if answer.usage != nil {
			response.Usage = *answer.usage
		}
		response.Cost = new(money.USD)
		return response, nil
	case <-e.life.Done():
		return llm.Response{}, canceled(ctx)
	case <-ctx.Done():
		return llm.Response{}, canceled(ctx)
	}
}

// news is what the client does not know yet.
func (p *policy) news(r llm.Request) ask {
	var a ask
	if r.System != p.system {
		a.system, p.system = r.System, r.System
	}
	switched := p.episode.speaker != nil && p.episode.speaker != p
	p.episode.speaker = p
	if switched || len(r.Messages) < len(p.told) || !slices.EqualFunc(p.told, r.Messages[:len(p.told)], same) {
		a.transcript = slices.Clone(r.Messages)
		a.message = text(r.Messages)
		return a
	}
	fresh := r.Messages[len(p.told):]
	a.message = text(fresh)
	if slices.ContainsFunc(fresh, func(m llm.Message) bool { return m.Role != llm.RoleUser }) {
		a.transcript = slices.Clone(r.Messages)
	}
	return a
}

func same(a, b llm.Message) bool { return a.Role == b.Role && a.Content == b.Content }

func text(messages []llm.Message) string {
	if len(messages) == 1 {
		return messages[0].Content
	}
	var parts []string
	for _, m := range messages {
		if m.Role == llm.RoleAssistant {
			parts = append(parts, "[You wrote]\n"+m.Content)
			continue
		}
		parts = append(parts, m.Content)
	}
	return strings.Join(parts, "\n\n")
}

// estimate is the usage of a policy whose client does not report it.
func estimate(r llm.Request, answer string) llm.Usage {
	chars := len(r.System)
	for _, m := range r.Messages {
		chars += len(m.Content)
	}
	return llm.Usage{InputTokens: llm.EstimateTokens(chars), OutputTokens: llm.EstimateTokens(len(answer))}
}

func canceled(ctx context.Context) error {
	return &llm.Error{Kind: llm.KindCanceled, Model: rootName, Message: "the client is gone", Err: cmp.Or(ctx.Err(), context.Canceled)}
}

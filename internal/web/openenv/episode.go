package openenv

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// rootName is the name under which the client's policy stands in traces.
const rootName = "openenv/client"

// reply is what the client's policy answered.
type reply struct {
	text   string
	finish string
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

	life    context.Context // what the rollout ends with
	cancel  context.CancelFunc
	turn    chan struct{} // holds a token while a root's question is open: child roots play one after the other
	speaker *policy       // who asked last; guarded by turn
	asks    chan ask
	replies chan reply
	done    chan struct{} // Roll has returned
	roll    env.Rollout   // after done
	err     error         // after done
	steps   int
	over    bool // the client has seen the end
}

// start begins a rollout. ctx bounds it.
func (s *Server) start(ctx context.Context, e *episode) error {
	journal, err := s.openTrace(e)
	if err != nil {
		return err
	}
	e.life = ctx
	ctx, e.cancel = context.WithCancel(ctx)
	e.turn, e.asks, e.replies, e.done = make(chan struct{}, 1), make(chan ask), make(chan reply), make(chan struct{})
	attempt := env.Attempt{
		Root: func(*llm.Budget) (llm.Handle, error) {
			return llm.Handle{Name: rootName, Model: &policy{episode: e}, Price: llm.NotBilled()}, nil
		},
		Worker: s.c.Worker, Sandbox: s.c.Sandbox, Trace: journal.w, ID: e.id, Seed: s.c.Luck(e.selection.Seed, e.index, e.rollout),
		MaxTurns: s.c.MaxTurns, Concurrency: s.c.Concurrency, Now: s.c.Now,
	}
	go func() {
		defer close(e.done)
		defer e.cancel()
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

func finished(r env.Rollout) bool { return r.Stop != env.StopInterrupted && r.Stop != "" }

// stop ends the rollout and returns when nothing of it is left.
func (e *episode) stop() {
	e.cancel()
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
			return nil, cmp.Or(context.Cause(e.life), errInterrupted)
		}
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
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

// policy is the root model of an episode: it hands the question to the client and waits for the answer.
type policy struct {
	episode *episode
	system  string
	told    []llm.Message // the conversation as the client knows it
}

// Complete waits for the client.
func (p *policy) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	e := p.episode
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return llm.Response{}, canceled(ctx)
	}
	select {
	case e.asks <- p.news(r):
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
		free := llm.USD(0)
		response.Cost = &free
		return response, nil
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
	return &llm.Error{Kind: llm.KindCanceled, Model: rootName, Message: "the client is gone", Err: ctx.Err()}
}

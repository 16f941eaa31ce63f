package nano

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"sync"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// voice answers the requests of one conversation, or, without a memory, of any.
type voice struct {
	s            *Sampler
	conversation Conversation
	engine       *engine // nil: by the seed
	said         *memory // nil: nothing is remembered
}

// Complete samples the next cell. The temperature and the seed of a request go before those of the conversation.
func (v *voice) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	s := v.s
	began := s.c.Now()
	if err := v.refuse(r); err != nil {
		return llm.Response{}, err
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, canceled(s.policy.Name, err)
	}
	exchanges := Render(r.Messages)
	if n := len(r.Messages); n == 0 || r.Messages[n-1].Role == llm.RoleAssistant {
		exchanges = append(exchanges, Exchange{})
	}
	turn := len(exchanges) - 1
	seed, temperature := v.conversation.Seed, v.conversation.Temperature
	if r.Seed != nil {
		seed = uint64(*r.Seed)
	} else if v.said == nil {
		seed = fingerprint(exchanges)
	}
	if r.Temperature != nil {
		temperature = *r.Temperature
	}
	longest := min(s.c.MaxCell, s.policy.Model.Config.Context/2)
	parts, err := v.parts(exchanges)
	if err != nil {
		return llm.Response{}, v.failed(err)
	}
	prompt := window(parts, s.policy.Model.Config.Context-longest)
	if r.MaxTokens > 0 {
		longest = min(longest, r.MaxTokens)
	}
	j := &job{ctx: ctx, prompt: prompt, end: s.form.end, limit: longest, temperature: temperature, rng: dice(seed, turn),
		done: make(chan struct{})}
	e := v.engine
	if e == nil {
		e = s.engines[mix(seed)%uint64(len(s.engines))]
	}
	if err := e.submit(j); err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Model: s.policy.Name, Message: err.Error(), Err: err}
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		return llm.Response{}, canceled(s.policy.Name, ctx.Err())
	}
	if j.err != nil {
		return llm.Response{}, v.failed(j.err)
	}
	if v.conversation.Record != nil {
		v.conversation.Record(Turn{Context: prompt, Reply: j.reply, LogP: j.logp, Entropy: j.entropy, Cut: j.cut})
	}
	written := j.reply
	if !j.cut {
		written = written[:len(written)-1]
	}
	text := clean(s.policy.Tokenizer.Decode(written))
	cell := text
	if s.form.chat != nil {
		cell = cellOf(llm.Message{Content: text})
	}
	if v.said != nil {
		v.said.put(turn, cell, written)
	}
	out := llm.Response{Finish: llm.FinishStop, Cost: new(money.USD), Model: s.policy.Name, Latency: s.c.Now().Sub(began),
		Usage: llm.Usage{InputTokens: int64(len(prompt)), OutputTokens: int64(len(j.reply))}}
	if out.Text = text; s.form.chat == nil {
		out.Text, out.ToolCalls = reply(cell, turn+1, r.Tools)
	}
	if len(out.ToolCalls) > 0 {
		out.Finish = llm.FinishToolCalls
	} else if r.OnDelta != nil {
		r.OnDelta(out.Text)
	}
	if j.cut {
		out.Finish = llm.FinishLength
	}
	return out, nil
}

// refuse says what of a request a policy cannot do.
func (v *voice) refuse(r llm.Request) error {
	bad := func(format string, args ...any) error {
		return &llm.Error{Kind: llm.KindBadRequest, Model: v.s.policy.Name, Message: fmt.Sprintf(format, args...)}
	}
	switch t := r.Temperature; {
	case v.s.invalid != nil:
		return bad("%v", v.s.invalid)
	case r.Prompt != "":
		return bad("it answers conversations only, and goes on with no text")
	case r.TopP != nil && *r.TopP != 1:
		return bad("top_p is %g: it samples from all its vocabulary", *r.TopP)
	case len(r.Stop) > 0:
		return bad("it knows no stop sequences but its own")
	case t != nil && (!(*t >= 0) || math.IsInf(*t, 0)), !(v.conversation.Temperature >= 0), math.IsInf(v.conversation.Temperature, 0):
		return bad("a temperature is a number from 0 on")
	}
	return nil
}

func (v *voice) failed(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errClosed) {
		return canceled(v.s.policy.Name, err)
	}
	return &llm.Error{Kind: llm.KindInvalid, Model: v.s.policy.Name, Message: err.Error(), Cost: new(money.USD)}
}

func canceled(model string, err error) error {
	return &llm.Error{Kind: llm.KindCanceled, Model: model, Message: err.Error(), Cost: new(money.USD), Err: err}
}

// parts are the tokens of each exchange, the last one up to where the cell begins.
func (v *voice) parts(exchanges []Exchange) ([][]int32, error) {
	t, f := v.s.policy.Tokenizer, v.s.form
	parts := make([][]int32, len(exchanges))
	for i, x := range exchanges {
		p, err := f.shown(t, i, x.View)
		if err != nil {
			return nil, err
		}
		if i < len(exchanges)-1 {
			cell, ok := v.said.get(i, x.Cell)
			if !ok {
				cell = f.written(t, x.Cell)
			}
			p = append(append(p, cell...), f.end)
		}
		parts[i] = p
	}
	return parts, nil
}

// memory is a conversation's replies, by turn.
type memory struct {
	mu   sync.Mutex
	said map[int]saying
}

type saying struct {
	cell   string
	tokens []int32 // without the one that ends it
}

func (m *memory) put(turn int, cell string, tokens []int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.said == nil {
		m.said = map[int]saying{}
	}
	m.said[turn] = saying{cell, tokens}
}

// get gives the tokens of a cell, if it was said in that turn.
func (m *memory) get(turn int, cell string) ([]int32, bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.said[turn]
	return s.tokens, ok && s.cell == cell
}

// fingerprint is the seed of a request that names none.
func fingerprint(exchanges []Exchange) uint64 {
	h := fnv.New64a()
	for _, x := range exchanges {
		fmt.Fprintf(h, "%q%q", x.View, x.Cell)
	}
	return h.Sum64()
}

package nano

import (
	"context"
	"errors"
	"fmt"
	"math"

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

// Complete samples the next cell, where a turn is asked for, or else a chat's next message. The temperature and the seed of a
// request go before those of the conversation.
func (v *voice) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	began := v.s.c.Now()
	if err := v.refuse(r); err != nil {
		return llm.Response{}, err
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, canceled(v.s.policy.Name, err)
	}
	answer := v.message
	if r.Turn {
		answer = v.cell
	}
	j := &job{ctx: ctx, temperature: v.conversation.Temperature, done: make(chan struct{})}
	if r.Temperature != nil {
		j.temperature = *r.Temperature
	}
	out, err := answer(j, r)
	if err != nil {
		return llm.Response{}, err
	}
	out.Model, out.Cost, out.Usage = v.s.policy.Name, new(money.USD), j.usage()
	if out.Finish = llm.FinishStop; len(out.ToolCalls) > 0 {
		out.Finish = llm.FinishToolCalls
	} else if r.OnDelta != nil {
		r.OnDelta(out.Text)
	}
	if j.cut {
		out.Finish = llm.FinishLength
	}
	out.Latency = v.s.c.Now().Sub(began)
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
	case !r.Turn && v.s.mute != nil:
		return bad("%v", v.s.mute)
	case !r.Turn && len(r.Tools) > 0:
		return bad("it was not trained to call tools")
	case r.TopP != nil && *r.TopP != 1:
		return bad("top_p is %g: it samples from all its vocabulary", *r.TopP)
	case r.Turn && len(r.Stop) > 0:
		return bad("a cell knows no stop sequences but its own")
	case t != nil && (!(*t >= 0) || math.IsInf(*t, 0)), !(v.conversation.Temperature >= 0), math.IsInf(v.conversation.Temperature, 0):
		return bad("a temperature is a number from 0 on")
	}
	return nil
}

// sample has a reply sampled. The luck of a request that names no seed is that of the conversation, or otherwise that of seed.
func (v *voice) sample(j *job, r llm.Request, turn int, seed uint64) error {
	switch {
	case r.Seed != nil:
		seed = uint64(*r.Seed)
	case v.said != nil:
		seed = v.conversation.Seed
	}
	j.rng = dice(seed, turn)
	e := v.engine
	if e == nil {
		e = v.s.engines[mix(seed)%uint64(len(v.s.engines))]
	}
	if err := e.submit(j); err != nil {
		return v.failed(err)
	}
	select {
	case <-j.done:
	case <-j.ctx.Done():
		return canceled(v.s.policy.Name, j.ctx.Err())
	}
	if j.err != nil {
		return v.failed(j.err)
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

// usage counts a finished job's tokens.
func (j *job) usage() llm.Usage {
	return llm.Usage{InputTokens: int64(len(j.prompt)), OutputTokens: int64(len(j.reply))}
}

// written are the tokens of a finished job's reply without the one that ends it.
func (j *job) written() []int32 {
	if j.ended {
		return j.reply[:len(j.reply)-1]
	}
	return j.reply
}

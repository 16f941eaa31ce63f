package nano

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// SamplerConfig says how replies are sampled. Only MaxCell changes replies.
type SamplerConfig struct {
	// Cores is how many processors sample. A model that stays in a cache has an engine on each; a larger one has one engine on
	// all of them, since each engine reads all weights in every step. Defaults to GOMAXPROCS.
	Cores int
	// Slots is how many replies an engine samples at once; what comes beyond that waits. Defaults to 64, of a large model,
	// whose keys and values take megabytes a conversation, to 32.
	Slots int
	// MaxCell is the most tokens of one reply; a longer one is cut. Defaults to 192.
	MaxCell int
	// Rows is the most tokens of one step of an engine; at least Slots. Defaults to 256.
	Rows int
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

func (c SamplerConfig) withDefaults() SamplerConfig {
	for _, f := range []struct {
		value *int
		usual int
	}{{&c.Cores, runtime.GOMAXPROCS(0)}, {&c.Slots, 64}, {&c.MaxCell, 192}, {&c.Rows, 256}} {
		if *f.value <= 0 {
			*f.value = f.usual
		}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Sampler samples many conversations at once: a request for a reply joins the next step of an engine, and leaves when
// the reply is done. It is safe for concurrent use, and holds goroutines until it is closed.
type Sampler struct {
	c       SamplerConfig
	policy  Policy
	form    form
	chat    *chat.Form // of requests that are no turns
	mute    error      // why there are none
	invalid error      // why nothing can be sampled
	engines []*engine
	next    atomic.Uint64 // engine of the next conversation
	running sync.WaitGroup
	using   sync.Mutex // one change of the weights at a time
}

// NewSampler starts the engines. A policy that does not pass [Policy.Validate] gives a sampler whose every reply is that
// error.
func NewSampler(p Policy, c SamplerConfig) *Sampler {
	if p.Name == "" {
		p.Name = "nano/policy"
	}
	s := &Sampler{c: c.withDefaults(), policy: p}
	if s.invalid = p.Validate(); s.invalid != nil {
		return s
	}
	large := p.Model.Config.BeyondCache()
	if large && c.Slots <= 0 {
		s.c.Slots = 32
	}
	s.form, s.invalid = formOf(p.Tokenizer)
	s.chat, s.mute = p.chats()
	engines, cores := s.c.Cores, 1
	if large {
		engines, cores = 1, s.c.Cores
	}
	for range engines {
		e := newEngine(p.Computed(), p.Adapter, s.c.Slots, s.c.Rows, cores)
		s.engines = append(s.engines, e)
		s.running.Go(e.run)
	}
	return s
}

// Use changes the weights: of the next step of training, say. An adapter, unless it is nil, is computed beside the model.
// Replies in progress end with the old ones; it returns when all engines have the new ones. The shape and the tokenizer
// stay, and conversations may continue.
func (s *Sampler) Use(m *transformer.Model, a *transformer.Adapter) error {
	if s.invalid != nil {
		return s.invalid
	}
	if m.Config != s.policy.Model.Config {
		return errors.New("the new weights are of another shape than the old")
	}
	s.using.Lock()
	defer s.using.Unlock()
	changes := make([]*change, 0, len(s.engines))
	for _, e := range s.engines {
		c := &change{model: m, adapter: a, done: make(chan struct{})}
		if err := e.use(c); err != nil {
			return err
		}
		changes = append(changes, c)
	}
	for _, c := range changes {
		<-c.done
	}
	return nil
}

// Close ends all replies with an error and waits for the engines. It may be called more than once.
func (s *Sampler) Close() {
	for _, e := range s.engines {
		e.close()
	}
	s.running.Wait()
}

// Conversation says how one conversation is sampled.
type Conversation struct {
	// Seed decides the conversation's luck. Defaults to 0.
	Seed uint64
	// Temperature divides the logits. Defaults to 0: the likeliest token, always.
	Temperature float64
	// Record sees every reply before the caller does. It is called from the goroutine that asks. Defaults to nothing.
	Record func(Turn)
}

// Open begins a conversation. Its replies depend on the weights, the messages, the seed and the temperature, never on what
// else is being sampled. It remembers its own replies token by token, so that the context of a turn is what was sampled
// and not another spelling of it; text that it did not write itself is encoded.
func (s *Sampler) Open(c Conversation) llm.Handle {
	v := &voice{s: s, conversation: c, said: &memory{}}
	if n := uint64(len(s.engines)); n > 0 {
		v.engine = s.engines[(s.next.Add(1)-1)%n]
	}
	return s.handle(v)
}

// handle is a voice as a model. A model that chats writes its cells into its text, as any other does.
func (s *Sampler) handle(v *voice) llm.Handle {
	h := llm.Handle{Name: s.policy.Name, Model: v, Price: llm.NotBilled(), Output: s.c.MaxCell, Digests: true, Local: true,
		Tools: s.form.chat == nil}
	if s.chat != nil {
		h.Context, h.Output = s.policy.Model.Config.Context, s.policy.Model.Config.Context
	}
	return h
}

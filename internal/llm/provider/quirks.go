package provider

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// omitted is what is left out of requests, because a server was found not to take it. The zero value sends everything.
type omitted struct {
	schema        bool // response_format (output_config): the schema goes into the prompt
	maxTokens     bool // max_tokens: max_completion_tokens instead
	temperature   bool
	topP          bool
	seed          bool
	fewStops      bool // no more than four
	stop          bool
	toolChoice    bool // "required": "auto" instead
	streamOptions bool
	// shorter is how often the reply's token limit was quartered, because prompt and limit together exceeded the
	// model's window. It depends on the prompt, so it is not remembered.
	shorter int
}

// replyLimit is the reply's token limit to send: r's own or the default, within what the model can write (most, 0 when
// not known), quartered as often as needed.
func (f omitted) replyLimit(r llm.Request, most int) int64 {
	n := r.MaxTokens
	if n <= 0 {
		n = llm.DefaultMaxTokens
	}
	if most > 0 {
		n = min(n, most)
	}
	return int64(max(n>>(2*f.shorter), min(n, 256)))
}

// mostStops is how many stop sequences OpenAI's own API takes; most other servers know no limit.
const mostStops = 4

// from is r without what is left out; maxTokens, streamOptions and shorter are for those who know the dialect.
func (f omitted) from(r llm.Request) llm.Request {
	if f.schema && r.Schema != nil {
		r.System, r.Schema = llm.SchemaPrompt(r.System, *r.Schema), nil
	}
	if f.temperature {
		r.Temperature = nil
	}
	if f.topP {
		r.TopP = nil
	}
	if f.seed {
		r.Seed = nil
	}
	if f.fewStops {
		r.Stop = r.Stop[:min(len(r.Stop), mostStops)]
	}
	if f.stop {
		r.Stop = nil
	}
	if f.toolChoice && r.ToolChoice == llm.ToolChoiceRequired {
		r.ToolChoice = llm.ToolChoiceAuto
	}
	return r
}

// quirks remembers between calls what one model's server does not take.
type quirks struct {
	mu    sync.Mutex
	known omitted
}

func (q *quirks) without() omitted { q.mu.Lock(); defer q.mu.Unlock(); return q.known }

func (q *quirks) remember(worked omitted) {
	worked.shorter = 0
	q.mu.Lock()
	defer q.mu.Unlock()
	q.known = worked
}

// quirks starts with what is documented: OpenAI's reasoning models want max_completion_tokens, and its other models
// take it too; its API takes four stop sequences.
func (s service) quirks() *quirks {
	own := s.strict && strings.HasPrefix(s.base, s.url)
	return &quirks{known: omitted{maxTokens: own, fewStops: own}}
}

// maxAttempts ends the asking again: one attempt for every feature and one more.
const maxAttempts = 10

// endpoint is what the models of both dialects are made of.
type endpoint struct {
	svc    service
	model  string
	full   string
	most   int // tokens of one reply, 0 when not known
	quirks *quirks
}

// onceFunc sends one request; without says what else to leave out of it.
type onceFunc func(ctx context.Context, r llm.Request, without omitted) (llm.Response, error)

// complete calls once, leaving out after every refusal what it blames, and remembers what worked. Refused requests
// are not billed.
func (e *endpoint) complete(ctx context.Context, r llm.Request, streamed bool, once onceFunc) (llm.Response, error) {
	without := e.quirks.without()
	for attempt := 1; ; attempt++ {
		start := time.Now()
		x := begin(ctx, streamed, without.replyLimit(r, e.most))
		resp, failed := once(x, without.from(r), without)
		if failed == nil {
			e.quirks.remember(without)
			resp.Latency, resp.Model = time.Since(start), e.full
			return resp, nil
		}
		err := e.svc.failure(x, e.full, failed)
		next, again := leaveOut(err, without, r)
		if !again || attempt == maxAttempts {
			return llm.Response{}, err
		}
		without = next
	}
}

// leaveOut reads a refusal and decides what to leave out of the next attempt, if anything.
func leaveOut(e *llm.Error, tried omitted, r llm.Request) (next omitted, again bool) {
	text := strings.ToLower(e.Message)
	blames := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	next = tried
	if e.Kind == llm.KindContextLength {
		// vLLM and Anthropic count the limit of the reply against the window: the prompt alone may well fit.
		next.shorter++
		return next, next.shorter <= 2 && blames("in the completion", "max_tokens", "max_completion_tokens")
	}
	if e.Kind != llm.KindBadRequest || e.Status != 400 && e.Status != 422 && e.Status != 501 {
		return tried, false
	}
	blamesStop := blames("'stop'", `"stop"`, "parameter: stop", "stop_sequences", "stop sequences")
	switch {
	case !tried.maxTokens && blames("max_completion_tokens"):
		next.maxTokens = true
	case tried.maxTokens && blames("max_completion_tokens") && !blames("too large", "at most", "maximum"):
		next.maxTokens = false
	case !tried.temperature && r.Temperature != nil && blames("temperature"):
		next.temperature = true
	case !tried.topP && r.TopP != nil && blames("top_p", "top-p"):
		next.topP = true
	case !tried.seed && r.Seed != nil && blames("seed"):
		next.seed = true
	case !tried.streamOptions && r.OnDelta != nil && blames("stream_options", "include_usage"):
		next.streamOptions = true
	case !tried.toolChoice && r.ToolChoice == llm.ToolChoiceRequired && blames("tool_choice", "tool choice"):
		next.toolChoice = true
	case !tried.fewStops && len(r.Stop) > mostStops && blamesStop:
		next.fewStops = true
	case !tried.stop && len(r.Stop) > 0 && blamesStop:
		next.stop = true
	case !tried.schema && r.Schema != nil:
		next.schema = true // whatever it blames: servers differ in nothing as much as in schemas
	default:
		return tried, false
	}
	return next, true
}

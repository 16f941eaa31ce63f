package llm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Model answers requests. Implementations are safe for concurrent use.
type Model interface {
	// Complete returns the model's reply. A failure is an [*Error] (see its Kind) or wraps ctx's error.
	Complete(ctx context.Context, r Request) (Response, error)
}

// Func lets an ordinary function be a [Model].
type Func func(ctx context.Context, r Request) (Response, error)

// Complete calls f.
func (f Func) Complete(ctx context.Context, r Request) (Response, error) { return f(ctx, r) }

// Roles of a [Message]. The system text is not a message: it stands in Request.System.
const (
	RoleSystem    = "system" // in transcripts only: a request's system text is not a message
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Finish is why a reply ended.
type Finish string

const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishToolCalls Finish = "tool_calls"
	FinishFilter    Finish = "filter"
)

// Values of Request.ToolChoice.
const (
	ToolChoiceAuto     = "auto"
	ToolChoiceRequired = "required"
	ToolChoiceNone     = "none"
)

// Request is one question to a model: the whole conversation so far and how to sample.
type Request struct {
	System   string    `json:"system,omitempty"`
	Messages []Message `json:"messages"`
	// Prompt is text that the model continues as it is, without a chat template, for base models. It stands
	// alone: with it there is no System, no Messages, Tools or Schema. The reply's Text may then be empty, because a
	// base model that stops at once has answered. Only models whose [Handle] says Raw take it. Defaults to a
	// conversation.
	Prompt string `json:"prompt,omitempty"`
	Tools  []Tool `json:"tools,omitempty"`
	// ToolChoice is "", "auto", "required" or "none". Defaults to the provider's own ("auto").
	ToolChoice string `json:"tool_choice,omitempty"`
	// MaxTokens caps the reply, reasoning included. Defaults to [DefaultMaxTokens].
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	// TopP samples from the likeliest tokens that have this share of the probability together. Defaults to the
	// provider's own (mostly 1: from all).
	TopP *float64 `json:"top_p,omitempty"`
	Seed *int64   `json:"seed,omitempty"`
	Stop []string `json:"stop,omitempty"`
	// Turn says that the reply is to be a turn of a recursion: the next cell. A model that plays turns in a form of its own (nano) tells
	// them by this alone; to any other it means nothing. Defaults to a request like any other.
	Turn bool `json:"turn,omitempty"`
	// Schema asks for a reply that is JSON of this shape. Where a server cannot be made to hold it, the schema is
	// put into the prompt instead, so a reply must be parsed with care all the same. Defaults to free text.
	Schema *Schema `json:"schema,omitempty"`
	// Reserved is told what an attempt can cost before it leaves, where it is not free; an error keeps it from leaving.
	// Defaults to nothing.
	Reserved func(most money.USD) error `json:"-"`
	// Usable says whether a reply is worth keeping for the same request later; a refusal is not. Defaults to every reply
	// that came to its own end.
	Usable func(Response) bool `json:"-"`
	// OnDelta receives pieces of the reply's text while they arrive. It is called from the goroutine that runs
	// Complete. A retried call starts over, so it is for showing progress only. Defaults to no streaming.
	OnDelta func(text string) `json:"-"`
}

// DefaultMaxTokens caps replies of requests that name no MaxTokens: without a cap no cost bound exists.
const DefaultMaxTokens = 8192

// Message is one turn of the conversation.
type Message struct {
	Role       string     `json:"role"` // user, assistant or tool
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // assistant only
	ToolCallID string     `json:"tool_call_id,omitempty"` // tool only: the call that Content answers
}

// Tool describes a function that the model may ask for. Parameters is a JSON schema of type object.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// ToolCall is the model asking for a function. Arguments is what the model wrote, valid JSON or not.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Schema is a named JSON schema for a reply.
type Schema struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"schema"`
}

// Response is a model's reply.
type Response struct {
	Text      string     `json:"text"`
	Reasoning string     `json:"reasoning,omitempty"` // thinking, never part of Text
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	Finish    Finish     `json:"finish"`
	Usage     Usage      `json:"usage"`
	Cost      *money.USD `json:"cost_usd"` // nil: not known
	Model     string     `json:"model,omitempty"`
	FromCache bool       `json:"from_cache,omitempty"`
	// Most bounds a Cost that is not known, because the reply says nothing of its usage; nil: nobody knows.
	Most *money.USD `json:"most_usd,omitempty"`
	// Earlier are the failed attempts before the one that succeeded. Cost and Usage do not contain them.
	Earlier Earlier `json:"earlier,omitzero"`
	// Latency is the time of the attempt that succeeded, waits between retries excluded.
	Latency time.Duration `json:"latency_ns,omitempty"`
}

// Usage counts tokens as the provider billed them.
type Usage = runfile.Tokens

// Handle is an opened model and what is known of it.
type Handle struct {
	Name  string // provider/model, as it was asked for
	Model Model
	// Price is nil when it is unknown. Models that bill nothing (offline, nano, local, ollama) have a zero price.
	Price   *Price
	Context int // tokens of prompt and reply together; 0 when not known
	Output  int // most tokens of one reply; 0 when not known
	// Judges says whether the model can judge a file at all; nil: any file. Static rules exist for some languages only.
	Judges func(path string) bool
	// Unjudged gives the files that the model says, in a reply, it could not judge after all; nil: it never says so.
	Unjudged func(reply string) []string
	// Rules is a model whose replies are the claims of static rules: they alone may say which rule made a claim.
	Rules bool
	// Digests is a root that sees a digest of each message of a loop: nothing has to be folded to fit its Context, and it was made for the
	// loop, not to read a codebase in one call.
	Digests bool
	// PromptChars is the longest prompt the model does well with; 0: to be derived from Context.
	PromptChars int
	Local       bool // text sent to it stays on this machine
	Tools       bool // may be given Request.Tools
	Schema      bool // may be given Request.Schema
	Raw         bool // may be given Request.Prompt
	// Scripted is a model that is a script in this program: it needs no retries, bills nothing and cannot fail, and its
	// replies are not worth keeping, because they change with the program.
	Scripted bool
}

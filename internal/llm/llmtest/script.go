package llmtest

import (
	"net/http"
	"time"
)

// Options configures a [Server].
type Options struct {
	// Reply answers a request; it is called concurrently. Defaults to echoing the last message's first line.
	Reply func(ChatRequest) Reply
	// Latency is waited before every answer. Defaults to none.
	Latency time.Duration
	// Key is the only API key accepted; any other gets a 401 that echoes the key it was sent, as careless servers
	// do. Defaults to accepting all.
	Key string
	// Models is what GET /v1/models lists. Defaults to "test-model".
	Models []string
}

// ChatRequest is one request as it came over the wire, either dialect.
type ChatRequest struct {
	Call        int    // 1 for the server's first completion request
	API         string // "openai", "completions" or "anthropic"
	Model       string
	Prompt      string // of the completions API
	System      string
	Messages    []Message
	Tools       []string // names
	ToolChoice  string   // "", "auto", "required", "none"
	Schema      bool     // a response schema was asked for
	Stream      bool
	MaxTokens   int
	Temperature *float64
	TopP        *float64
	Seed        *int64
	Stop        []string
	Header      http.Header
	Body        []byte // the whole JSON body
}

// Last is the text of the last message; without one it is the prompt of the completions API.
func (r ChatRequest) Last() string {
	if len(r.Messages) == 0 {
		return r.Prompt
	}
	return r.Messages[len(r.Messages)-1].Content
}

// Message is one message of a [ChatRequest]. Anthropic's tool results have role "tool" here too.
type Message struct {
	Role, Content string
	ToolCalls     []ToolCall
	ToolCallID    string
}

// ToolCall is a function call in a message or a [Reply]. An empty ID in a reply is filled in.
type ToolCall struct{ ID, Name, Arguments string }

// Fault makes a reply go wrong.
type Fault string

// The faults a [Reply] can have.
const (
	// Reset closes the connection before any byte of the answer.
	Reset Fault = "reset"
	// Truncate breaks the connection in the middle of the answer, streamed or not.
	Truncate Fault = "truncate"
	// SilentTruncate ends a stream cleanly in its middle, without a finish reason.
	SilentTruncate Fault = "silent-truncate"
	// InvalidJSON answers 200 with something that is not JSON.
	InvalidJSON Fault = "invalid-json"
	// EmptyChoices answers 200 with no choice (or no content block) in it.
	EmptyChoices Fault = "empty-choices"
	// Hang never answers: the handler returns when the client goes away or the server closes.
	Hang Fault = "hang"
	// Stall sends the headers and half of the answer, and then nothing.
	Stall Fault = "stall"
	// Trickle sends the headers, and then a blank (in a stream, a comment) every few milliseconds, without an end.
	Trickle Fault = "trickle"
	// Flood sends an answer without an end: one long text, in a stream in one line.
	Flood Fault = "flood"
	// FloodEvents sends a stream of small events without an end; whole answers are as with Flood.
	FloodEvents Fault = "flood-events"
	// HTML answers 200 with a web page, as captive portals and wrong base URLs do.
	HTML Fault = "html"
)

// Reply is what the server answers. The zero value is an empty text.
type Reply struct {
	Text      string
	Reasoning string // reasoning_content, or a thinking block
	ToolCalls []ToolCall
	Finish    string // stop, length, tool_calls, content_filter. Defaults to what fits the reply

	Input, Output      int64  // tokens in usage. Default to a token for every four bytes
	Cached, CacheWrite int64  // of Input
	NoUsage            bool   // leave usage out
	Cost               string // usage.cost, a decimal number of dollars, as OpenRouter reports it. Defaults to none

	Status     int           // an HTTP error instead of an answer
	Error      string        // its message. Defaults to the status text
	Code       string        // its error code, e.g. insufficient_quota
	RetryAfter time.Duration // its Retry-After header, in whole seconds
	Location   string        // its Location header
	Fault      Fault
	Latency    time.Duration // waited on top of Options.Latency
}

// Text is a plain reply.
func Text(s string) Reply { return Reply{Text: s} }

// Status is an HTTP error with a message.
func Status(code int, message string) Reply { return Reply{Status: code, Error: message} }

// RateLimited is a 429 that asks to wait.
func RateLimited(after time.Duration) Reply {
	return Reply{Status: http.StatusTooManyRequests, Error: "rate limit reached", Code: "rate_limit_exceeded", RetryAfter: after}
}

// Script answers the n-th call with the n-th reply and all later ones with the last.
func Script(replies ...Reply) func(ChatRequest) Reply {
	return func(r ChatRequest) Reply { return replies[min(r.Call, len(replies))-1] }
}

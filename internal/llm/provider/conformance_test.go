package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/google/go-cmp/cmp"
)

const testKey = "sk-test-4f9d2c7be01a4c55ab"

// models opens one model of every provider over its own fake server.
func models(t *testing.T, o llmtest.Options) map[string]struct {
	llm.Handle
	*llmtest.Server
} {
	t.Helper()
	type opened = struct {
		llm.Handle
		*llmtest.Server
	}
	all := map[string]opened{}
	for _, name := range []string{"anthropic/claude-opus-4-6", "openai/gpt-5", "openrouter/minimax/minimax-m2.5",
		"ollama/qwen2.5-coder:1.5b", "local/any"} {
		srv := llmtest.NewServer(t, o)
		reg, err := provider.NewRegistry(provider.Config{Getenv: env(srv.URL)})
		if err != nil {
			t.Fatal(err)
		}
		h, err := reg.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = opened{h, srv}
	}
	return all
}

func env(url string) func(string) string {
	return func(name string) string {
		switch name {
		case "ANTHROPIC_BASE_URL", "OLLAMA_HOST":
			return url
		case "OPENAI_BASE_URL", "OPENROUTER_BASE_URL", "DEEPREPO_LOCAL_URL":
			return url + "/v1"
		case "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "DEEPREPO_LOCAL_KEY":
			return testKey
		}
		return ""
	}
}

func ask(text string) llm.Request {
	return llm.Request{System: "Be brief.", Messages: []llm.Message{{Role: llm.RoleUser, Content: text}}, MaxTokens: 100}
}

// TestConformance holds every provider to the same contract, streamed and not.
func TestConformance(t *testing.T) {
	tool := llm.Tool{Name: "execute_python", Description: "runs code",
		Parameters: json.RawMessage(`{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}`)}
	tests := []struct {
		name    string
		request llm.Request
		reply   llmtest.Reply
		want    llm.Response // Usage, Cost, Model and Latency aside
		seen    func(r llmtest.ChatRequest) string
	}{
		{
			name: "text", request: ask("hello"), reply: llmtest.Text("Grüß dich, 世界"),
			want: llm.Response{Text: "Grüß dich, 世界", Finish: "stop"},
			seen: func(r llmtest.ChatRequest) string {
				if r.System != "Be brief." || r.Last() != "hello" || r.MaxTokens != 100 {
					return "system, text or max tokens got lost"
				}
				return ""
			},
		},
		{
			name: "tool call", request: llm.Request{Messages: ask("go").Messages, Tools: []llm.Tool{tool}, ToolChoice: "required"},
			reply: llmtest.Reply{Text: "let me look", ToolCalls: []llmtest.ToolCall{{ID: "c1", Name: "execute_python", Arguments: `{"code":"print(1)"}`}, {ID: "c2", Name: "execute_python", Arguments: `{"code":"2"}`}}},
			want:  llm.Response{Text: "let me look", Finish: "tool_calls", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "execute_python", Arguments: `{"code":"print(1)"}`}, {ID: "c2", Name: "execute_python", Arguments: `{"code":"2"}`}}},
			seen: func(r llmtest.ChatRequest) string {
				if len(r.Tools) != 1 || r.ToolChoice != "required" || r.MaxTokens != llm.DefaultMaxTokens {
					return "tools, choice or default max tokens got lost"
				}
				return ""
			},
		},
		{
			name: "tool conversation",
			request: llm.Request{Tools: []llm.Tool{tool}, MaxTokens: 5, Messages: []llm.Message{
				{Role: "user", Content: "go"},
				{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "execute_python", Arguments: `{"code":"1"}`}}},
				{Role: "tool", ToolCallID: "c1", Content: "1"},
				{Role: "user", Content: "turn 2"}}},
			reply: llmtest.Text("ok"), want: llm.Response{Text: "ok", Finish: "stop"},
			seen: func(r llmtest.ChatRequest) string {
				want := []llmtest.Message{{Role: "user", Content: "go"},
					{Role: "assistant", ToolCalls: []llmtest.ToolCall{{ID: "c1", Name: "execute_python", Arguments: `{"code":"1"}`}}},
					{Role: "tool", ToolCallID: "c1", Content: "1"}, {Role: "user", Content: "turn 2"}}
				return cmp.Diff(want, r.Messages)
			},
		},
		{name: "length", request: ask("x"), reply: llmtest.Reply{Text: "cut", Finish: "length"}, want: llm.Response{Text: "cut", Finish: "length"}},
		{name: "reasoning", request: ask("x"), reply: llmtest.Reply{Text: "42", Reasoning: "6 times 7"}, want: llm.Response{Text: "42", Reasoning: "6 times 7", Finish: "stop"}},
		{
			name: "schema", request: llm.Request{Messages: ask("x").Messages, Schema: &llm.Schema{Name: "f", JSON: json.RawMessage(`{"type":"object"}`)}},
			reply: llmtest.Text(`{}`), want: llm.Response{Text: `{}`, Finish: "stop"},
			seen: func(r llmtest.ChatRequest) string {
				if !r.Schema {
					return "no schema in the request"
				}
				return ""
			},
		},
		{
			name: "repaired", request: llm.Request{Messages: []llm.Message{{Role: "assistant", Content: "first"}, {Role: "user", Content: "  "}, {Role: "user", Content: "a"}, {Role: "user", Content: "b"}}},
			reply: llmtest.Text("ok"), want: llm.Response{Text: "ok", Finish: "stop"},
			seen: func(r llmtest.ChatRequest) string {
				return cmp.Diff([]llmtest.Message{{Role: "user", Content: "Begin."}, {Role: "assistant", Content: "first"},
					{Role: "user", Content: "a\n\nb"}}, r.Messages)
			},
		},
	}
	for _, tt := range tests {
		for _, streamed := range []bool{false, true} {
			reply := tt.reply
			reply.Input, reply.Cached, reply.Output = 1000, 400, 77
			for name, m := range models(t, llmtest.Options{Key: testKey, Reply: llmtest.Script(reply)}) {
				t.Run(strings.Join([]string{tt.name, name, map[bool]string{true: "streamed", false: "whole"}[streamed]}, "/"), func(t *testing.T) {
					if strings.HasPrefix(name, "ollama/") {
						m.Server.AcceptAnyKey()
					}
					r := tt.request
					var deltas strings.Builder
					if streamed {
						r.OnDelta = func(s string) { deltas.WriteString(s) }
					}
					got, err := m.Model.Complete(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					if got.Usage != (llm.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 77}) {
						t.Errorf("usage %+v", got.Usage)
					}
					if got.Cost == nil || *got.Cost != m.Price.Cost(got.Usage) {
						t.Errorf("cost %v, want the price's", got.Cost)
					}
					if got.Model != name || got.Latency <= 0 {
						t.Errorf("model %q, latency %v", got.Model, got.Latency)
					}
					if streamed && deltas.String() != tt.want.Text {
						t.Errorf("deltas %q, want %q", deltas.String(), tt.want.Text)
					}
					got.Usage, got.Cost, got.Model, got.Latency = llm.Usage{}, nil, "", 0
					if diff := cmp.Diff(tt.want, got); diff != "" {
						t.Errorf("response (-want +got):\n%s", diff)
					}
					if m.Calls() != 1 {
						t.Errorf("%d requests, want 1", m.Calls())
					}
					if tt.seen != nil {
						if problem := tt.seen(m.Requests()[0]); problem != "" {
							t.Error(problem)
						}
					}
				})
			}
		}
	}
}

// TestFailures: every provider names the same trouble the same way, asks once, and never shows the key.
func TestFailures(t *testing.T) {
	tests := []struct {
		name     string
		reply    llmtest.Reply
		kind     llm.Kind
		streamed bool
		calls    int
	}{
		{name: "429", reply: llmtest.RateLimited(2 * time.Second), kind: llm.KindRateLimit},
		{name: "quota", reply: llmtest.Reply{Status: 429, Code: "insufficient_quota", Error: "You exceeded your current quota"}, kind: llm.KindQuota},
		{name: "500", reply: llmtest.Status(500, "boom "+testKey), kind: llm.KindOverloaded},
		{name: "529", reply: llmtest.Status(529, "overloaded"), kind: llm.KindOverloaded},
		{name: "401", reply: llmtest.Status(401, "bad key "+testKey), kind: llm.KindAuth},
		{name: "unknown model", reply: llmtest.Status(404, "The model `x` does not exist"), kind: llm.KindUnknownModel},
		{name: "context", reply: llmtest.Status(400, "This model's maximum context length is 8192 tokens"), kind: llm.KindContextLength},
		{name: "context of anthropic", reply: llmtest.Status(400, "prompt is too long: 210000 tokens > 200000 maximum"), kind: llm.KindContextLength},
		{name: "400", reply: llmtest.Status(400, "no"), kind: llm.KindBadRequest},
		{name: "reset", reply: llmtest.Reply{Fault: llmtest.Reset}, kind: llm.KindConnection},
		{name: "truncated", reply: llmtest.Reply{Text: "some text here", Fault: llmtest.Truncate}, kind: llm.KindTruncated},
		{name: "truncated stream", reply: llmtest.Reply{Text: "some text here", Fault: llmtest.Truncate}, kind: llm.KindTruncated, streamed: true},
		{name: "stream without an end", reply: llmtest.Reply{Text: "some text here", Fault: llmtest.SilentTruncate}, kind: llm.KindTruncated, streamed: true},
		{name: "invalid JSON", reply: llmtest.Reply{Fault: llmtest.InvalidJSON}, kind: llm.KindInvalid},
		{name: "web page", reply: llmtest.Reply{Fault: llmtest.HTML}, kind: llm.KindInvalid},
		{name: "no choices", reply: llmtest.Reply{Fault: llmtest.EmptyChoices}, kind: llm.KindEmpty},
		{name: "empty text", reply: llmtest.Text(" \n"), kind: llm.KindEmpty},
		{name: "only thinking", reply: llmtest.Reply{Reasoning: "hmm", Finish: "length"}, kind: llm.KindEmpty},
		{name: "filtered", reply: llmtest.Reply{Finish: "content_filter"}, kind: llm.KindFiltered},
	}
	for _, tt := range tests {
		for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(tt.reply)}) {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				r := ask("x")
				if tt.streamed {
					r.OnDelta = func(string) {}
				}
				_, err := m.Model.Complete(t.Context(), r)
				e, ok := errors.AsType[*llm.Error](err)
				if !ok {
					t.Fatalf("error %v (%T) is no *llm.Error", err, err)
				}
				kind := tt.kind
				if strings.HasPrefix(name, "anthropic/") && (tt.name == "invalid JSON" || tt.name == "web page") {
					kind = llm.KindTruncated // a stream without any event
				}
				if e.Kind != kind {
					t.Errorf("kind %s, want %s (%v)", e.Kind, kind, err)
				}
				if e.Model != name {
					t.Errorf("model %q, want %q", e.Model, name)
				}
				if tt.name == "429" && e.RetryAfter != 2*time.Second {
					t.Errorf("retry after %v, want 2s", e.RetryAfter)
				}
				if text := err.Error() + e.Hint(); strings.Contains(text, testKey) || strings.Contains(text, testKey[:12]) {
					t.Errorf("the key stands in %q", text)
				}
				if e.Kind != llm.KindBadRequest && e.Hint() == "" && e.Kind != llm.KindInvalid && e.Kind != llm.KindFiltered {
					t.Errorf("no hint for %v", err)
				}
				if m.Calls() != 1 {
					t.Errorf("%d requests, want 1: retrying is the wrapper's business", m.Calls())
				}
			})
		}
	}
}

// TestHangIsGivenUp: a server that never answers costs no more than the context allows.
func TestHangIsGivenUp(t *testing.T) {
	for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Fault: llmtest.Hang})}) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := m.Model.Complete(ctx, ask("x"))
			if llm.KindOf(err) != llm.KindCanceled || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want the deadline", err)
			}
		})
	}
}

package provider_test

import (
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

// TestRawPrompt: every provider with a completions API sends a prompt as it is, and every other one says so.
func TestRawPrompt(t *testing.T) {
	temperature, topP, seed := 0.8, 0.95, int64(7)
	request := llm.Request{Prompt: "def f(x):\n    \"\"\"Double \xff.\"\"\"", MaxTokens: 64, Temperature: &temperature, TopP: &topP,
		Seed: &seed, Stop: []string{"\ndef ", "\nclass "}}
	reply := llmtest.Reply{Text: "\n    return 2 * x\n", Finish: "length", Input: 10, Output: 6}
	for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(reply)}) {
		t.Run(name, func(t *testing.T) {
			r := request
			var pieces strings.Builder
			r.OnDelta = func(s string) { pieces.WriteString(s) }
			got, err := m.Model.Complete(t.Context(), r)
			if m.Raw != (err == nil) {
				t.Fatalf("Raw is %v, and the call's error %v", m.Raw, err)
			}
			if !m.Raw {
				e, ok := errors.AsType[*llm.Error](err)
				if !ok || e.Kind != llm.KindBadRequest || !strings.Contains(e.Hint(), "--prompt chat") || m.Calls() != 0 {
					t.Errorf("error %v after %d calls, hint %q", err, m.Calls(), e.Hint())
				}
				return
			}
			if got.Text != reply.Text || got.Finish != llm.FinishLength || got.Model != name || pieces.String() != reply.Text {
				t.Errorf("response %+v, pieces %q", got, pieces.String())
			}
			if got.Usage != (llm.Usage{InputTokens: 10, OutputTokens: 6}) || got.Cost == nil || *got.Cost != m.Price.Cost(got.Usage) {
				t.Errorf("usage %+v, cost %v", got.Usage, got.Cost)
			}
			seen := m.Requests()[0]
			want := llmtest.ChatRequest{Call: 1, API: "completions", Model: seen.Model, Prompt: strings.ToValidUTF8(request.Prompt, "\uFFFD"),
				MaxTokens:   64,
				Temperature: &temperature, TopP: &topP, Seed: &seed, Stop: request.Stop}
			seen.Header, seen.Body = nil, nil
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			visible := strings.Contains(string(m.Requests()[0].Body), `"skip_special_tokens":false`)
			if visible != strings.HasPrefix(name, "local/") {
				t.Errorf("special tokens asked for: %v", visible)
			}
			if _, err := m.Model.Complete(t.Context(), llm.Request{Prompt: "x", System: "y"}); llm.KindOf(err) != llm.KindBadRequest {
				t.Errorf("a prompt and a system text: %v", err)
			}
		})
	}
}

// TestRawReplies: a base model may say nothing; servers without the API are named as such.
func TestRawReplies(t *testing.T) {
	tests := []struct {
		name  string
		reply llmtest.Reply
		text  string
		kind  llm.Kind
		hint  string
	}{
		{name: "blank", reply: llmtest.Text(" \n"), text: " \n"},
		{name: "nothing", reply: llmtest.Text("")},
		{name: "thinking is text", reply: llmtest.Text("<think>x</think>y"), text: "<think>x</think>y"},
		{name: "no choice", reply: llmtest.Reply{Fault: llmtest.EmptyChoices}, kind: llm.KindEmpty},
		{name: "no such path", reply: llmtest.Status(404, "404 page not found"), kind: llm.KindBadRequest, hint: "--prompt chat"},
		{name: "a chat model", reply: llmtest.Status(404, "This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?"), kind: llm.KindBadRequest, hint: "--prompt chat"},
		{name: "no such model", reply: llmtest.Status(404, "The model `x` does not exist"), kind: llm.KindUnknownModel, hint: "deeprepo models"},
		{name: "busy", reply: llmtest.RateLimited(time.Second), kind: llm.KindRateLimit},
		{name: "broken off", reply: llmtest.Reply{Text: "abc", Fault: llmtest.Truncate}, kind: llm.KindTruncated},
		{name: "upstream", reply: llmtest.Reply{Text: "abc", Finish: "error"}, kind: llm.KindTruncated},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(tt.reply)})
			got, err := open(t, provider.Config{Getenv: env(srv.URL)}, "local/any").Model.Complete(t.Context(), llm.Request{Prompt: "x"})
			if llm.KindOf(err) != tt.kind || got.Text != tt.text {
				t.Fatalf("%q, %v", got.Text, err)
			}
			if e, _ := errors.AsType[*llm.Error](err); tt.hint != "" && !strings.Contains(e.Hint(), tt.hint) {
				t.Errorf("hint %q", e.Hint())
			}
		})
	}
}

// TestRawPromptThroughTheStack: budget and cache know a prompt.
func TestRawPromptThroughTheStack(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply { return llmtest.Text("after " + r.Prompt) }})
	dollar := llm.Dollars{USD: 1_000_000_000_000}
	h := open(t, provider.Config{Getenv: env(srv.URL), Models: map[string]llm.ModelConfig{"local/any": {Input: &dollar, Output: &dollar}}},
		"local/any")
	cache, err := llm.OpenCache(llm.CacheConfig{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	budget := llm.NewBudget(1_000_000_000) // a tenth of a cent
	m := llm.Stack(h, llm.StackConfig{Cache: cache, Budget: budget})
	ask := func(m llm.Model, prompt string) string {
		t.Helper()
		resp, err := m.Complete(t.Context(), llm.Request{Prompt: prompt, MaxTokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		return resp.Text
	}
	for range 2 {
		if a, b := ask(m, "a"), ask(m, "b"); a != "after a" || b != "after b" {
			t.Errorf("%q, %q", a, b)
		}
	}
	if srv.Calls() != 2 {
		t.Errorf("%d calls, want 2: one for each prompt", srv.Calls())
	}
	_, err = m.Complete(t.Context(), llm.Request{Prompt: strings.Repeat("long ", 1000), MaxTokens: 100})
	if !errors.Is(err, llm.ErrBudget) {
		t.Errorf("a prompt of 5000 bytes at $1 a million tokens fits $0.001: %v", err)
	}
}

// TestOldHashesHold: what a request without the newer fields hashed to, it still does, so that old cache entries are found.
func TestOldHashesHold(t *testing.T) {
	data, err := json.Marshal(llm.Request{Messages: []llm.Message{{Role: "user", Content: "x"}}})
	if err != nil || string(data) != `{"messages":[{"role":"user","content":"x"}]}` {
		t.Errorf("%s, %v", data, err)
	}
}

// TestFewStops: OpenAI's own API takes four stop sequences, and a server that refuses six is offered four.
func TestFewStops(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if len(r.Stop) > 4 {
			return llmtest.Status(400, "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length "+
				"6 instead.")
		}
		return llmtest.Text(strings.Join(r.Stop, ""))
	}})
	m := open(t, provider.Config{Getenv: env(srv.URL)}, "local/any").Model
	for range 2 {
		resp, err := m.Complete(t.Context(), llm.Request{Prompt: "x", Stop: []string{"a", "b", "c", "d", "e", "f"}})
		if err != nil || resp.Text != "abcd" {
			t.Fatalf("%q, %v", resp.Text, err)
		}
	}
	if srv.Calls() != 3 {
		t.Errorf("%d requests, want 3: one refused, two answered", srv.Calls())
	}
}

package provider_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/money"
)

func open(t *testing.T, c provider.Config, name string) llm.Handle {
	t.Helper()
	reg, err := provider.NewRegistry(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := reg.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestFeaturesAreLeftOut: a server that refuses an optional feature gets the same question without it, and is not
// offered it again.
func TestFeaturesAreLeftOut(t *testing.T) {
	half, seed := 0.5, int64(3)
	full := llm.Request{System: "s", Messages: ask("x").Messages, Temperature: &half, TopP: &half, Seed: &seed, Stop: []string{"END"},
		ToolChoice: "required",
		Tools:      []llm.Tool{{Name: "f"}}, Schema: &llm.Schema{Name: "f", JSON: json.RawMessage(`{"type":"object","title":"Findings"}`)}}
	tests := []struct {
		name, model, field, message string
		streamed                    bool
		replaced                    string // what stands in the second body instead
	}{
		{name: "response_format", model: "local/any", field: `"response_format"`, message: "unsupported field", replaced: "Findings"},
		{name: "output_config", model: "anthropic/claude-3-haiku-20240307", field: `"output_config"`, message: "output_config.format: Extra inputs are not permitted", replaced: "Findings"},
		{name: "temperature", model: "openai/o3", field: `"temperature"`, message: "Unsupported value: 'temperature' does not support 0.5 with this model."},
		{name: "temperature of anthropic", model: "anthropic/claude-opus-4-8", field: `"temperature"`, message: "`temperature` is deprecated for this model."},
		{name: "max_tokens", model: "openai/o3", field: `"max_tokens"`, message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", replaced: "max_completion_tokens"},
		{name: "seed", model: "local/any", field: `"seed"`, message: "Unrecognized request argument supplied: seed"},
		{name: "top_p", model: "local/any", field: `"top_p"`, message: "top_p is not supported"},
		{name: "stop", model: "openai/o3", field: `"stop"`, message: "Unsupported parameter: 'stop' is not supported with this model."},
		{name: "tool_choice", model: "ollama/any", field: `"tool_choice":"required"`, message: "tool_choice required is not supported", replaced: `"tool_choice":"auto"`},
		{name: "stream_options", model: "local/any", field: `"stream_options"`, message: "unknown parameter stream_options", streamed: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
				if strings.Contains(string(r.Body), tt.field) {
					return llmtest.Status(400, tt.message)
				}
				return llmtest.Text("ok")
			}})
			m := open(t, provider.Config{Getenv: env(srv.URL)}, tt.model).Model
			r := full
			if tt.streamed {
				r.OnDelta = func(string) {}
			}
			for range 2 {
				if resp, err := m.Complete(t.Context(), r); err != nil || resp.Text != "ok" {
					t.Fatalf("%+v, %v", resp, err)
				}
			}
			if srv.Calls() != 3 {
				t.Errorf("%d requests, want 3: one refused, two answered", srv.Calls())
			}
			if body := string(srv.Requests()[1].Body); !strings.Contains(body, tt.replaced) {
				t.Errorf("no %s in %s", tt.replaced, body)
			}
		})
	}
	t.Run("a server that refuses everything", func(t *testing.T) {
		srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Status(400,
			"max_completion_tokens temperature seed 'stop' tool_choice no"))})
		_, err := open(t, provider.Config{Getenv: env(srv.URL)}, "local/any").Model.Complete(t.Context(), full)
		if llm.KindOf(err) != llm.KindBadRequest || srv.Calls() > 10 {
			t.Errorf("%v after %d requests", err, srv.Calls())
		}
	})
}

// TestReplyLimitFits: a reply's limit over what the model can write is lowered before asking, and one that does not
// fit the window beside its prompt after the server says so; the next, shorter prompt gets its full limit again.
func TestReplyLimitFits(t *testing.T) {
	tests := []struct{ name, model, message string }{
		{"vLLM", "local/any", "This model's maximum context length is 4096 tokens. However, you requested 8700 tokens (700 in the messages, 8000 in the completion)."},
		{"newer vLLM", "local/any", "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and your request has 700 input tokens"},
		{"Anthropic", "anthropic/any", "input length and `max_tokens` exceed context limit: 190000 + 8000 > 200000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
				if r.MaxTokens > 3000 && r.Last() == "long" {
					return llmtest.Status(400, tt.message)
				}
				return llmtest.Text("ok")
			}})
			m := open(t, provider.Config{Getenv: env(srv.URL)}, tt.model).Model
			for _, text := range []string{"long", "short"} {
				r := ask(text)
				r.MaxTokens = 8000
				if _, err := m.Complete(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			var limits []int
			for _, r := range srv.Requests() {
				limits = append(limits, r.MaxTokens)
			}
			if fmt.Sprint(limits) != "[8000 2000 8000]" {
				t.Errorf("limits %v", limits)
			}
		})
	}
	srv := llmtest.NewServer(t, llmtest.Options{})
	r := ask("x")
	r.MaxTokens = 100_000
	if _, err := open(t, provider.Config{Getenv: env(srv.URL)}, "anthropic/claude-3-haiku-20240307").Model.Complete(t.Context(),
		r); err != nil {
		t.Fatal(err)
	}
	if got := srv.Requests()[0].MaxTokens; got != 4096 {
		t.Errorf("limit %d for a model that writes at most 4096", got)
	}
}

// TestReportedCostWins: what OpenRouter says it charged is the cost, exactly.
func TestReportedCostWins(t *testing.T) {
	tests := []struct{ reported, want string }{
		{"0.0001375", "0.0001375"}, {"0", "0"}, {"1.2e-05", "0.000012"},
		{"0.00012345678912345", "0.000123456790"}, // finer than a pico-dollar: up
		{`"soon"`, "0.00031"}, {"-1", "0.00031"},  // nonsense: the snapshot's price
	}
	for _, tt := range tests {
		for _, streamed := range []bool{false, true} {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: "x", Input: 1000, Output: 100,
				Cost: tt.reported})})
			r := ask("x")
			if streamed {
				r.OnDelta = func(string) {}
			}
			resp, err := open(t, provider.Config{Getenv: env(srv.URL)}, "openrouter/minimax/minimax-m2.5").Model.Complete(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			want, err := money.ParseUSD(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Cost == nil || *resp.Cost-want > 1 || want-*resp.Cost > 1 {
				t.Errorf("reported %s: cost %v, want $%s", tt.reported, resp.Cost, tt.want)
			}
			if !strings.Contains(string(srv.Requests()[0].Body), `"usage":{"include":true}`) {
				t.Error("usage.cost was not asked for")
			}
		}
	}
}

// TestImpossibleCounts: token counts that no model can have are no bill: the cost is unknown, not negative and not zero,
// and a budget books all that was reserved.
func TestImpossibleCounts(t *testing.T) {
	for _, reply := range []llmtest.Reply{
		{Text: "x", Input: 10, Output: 1e15}, {Text: "x", Input: 1e18, Output: 1e18}, {Text: "x", Input: -1000, Output: 5},
		{Text: "x", Input: 10, Output: -1e15},
	} {
		for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(reply)}) {
			budget := llm.NewBudget(money.Dollar)
			resp, err := llm.Stack(m.Handle, llm.StackConfig{Budget: budget}).Complete(t.Context(), ask("x"))
			if err != nil {
				t.Fatal(err)
			}
			report := budget.Report()
			if m.Price.Free() {
				if resp.Cost == nil || *resp.Cost != 0 {
					t.Errorf("%s: cost %v of a model that bills nothing", name, resp.Cost)
				}
				continue
			}
			if resp.Cost != nil || resp.Usage != (llm.Usage{}) || report.Uncertain <= 0 || report.Spent != report.Uncertain {
				t.Errorf("%s, %+v: cost %v, usage %+v, budget %+v", name, reply, resp.Cost, resp.Usage, report)
			}
		}
	}
}

// TestUnknownPrice: a model without a price has an unknown cost, not 0.
func TestUnknownPrice(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{})
	h := open(t, provider.Config{Getenv: env(srv.URL)}, "openai/my-root")
	resp, err := h.Model.Complete(t.Context(), ask("x"))
	if err != nil || h.Price != nil || resp.Cost != nil {
		t.Errorf("price %v, cost %v, %v", h.Price, resp.Cost, err)
	}
	in, out := llm.Dollars{USD: 15 * money.Dollar}, llm.Dollars{USD: 75 * money.Dollar}
	h = open(t, provider.Config{Getenv: env(srv.URL), Models: map[string]llm.ModelConfig{"openai/my-root": {Input: &in, Output: &out,
		Context: 123}}}, "openai/my-root")
	resp, err = h.Model.Complete(t.Context(), ask("x"))
	if err != nil || h.Context != 123 || resp.Cost == nil || *resp.Cost != h.Price.Cost(resp.Usage) || *resp.Cost == 0 {
		t.Errorf("with a configured price: %+v, %+v, %v", h, resp, err)
	}
}

// TestNoUsage: a priced reply without usage has an unknown cost; a local one still costs nothing.
func TestNoUsage(t *testing.T) {
	for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: "x", NoUsage: true})}) {
		resp, err := m.Model.Complete(t.Context(), ask("x"))
		if err != nil {
			t.Fatal(err)
		}
		if free := m.Price.Free(); free != (resp.Cost != nil) {
			t.Errorf("%s: cost %v, free %v", name, resp.Cost, free)
		}
	}
}

// TestThinkTags: servers without a reasoning parser leave the tags in the text.
func TestThinkTags(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Text("<think>hm</think>\n\n42"))})
	resp, err := open(t, provider.Config{Getenv: env(srv.URL)}, "local/qwen3").Model.Complete(t.Context(), ask("x"))
	if err != nil || resp.Text != "42" || resp.Reasoning != "hm" {
		t.Errorf("%+v, %v", resp, err)
	}
}

// TestKeyNeverShows: against a server that puts the key it was sent into everything it answers, the key is in no
// error, hint, reply or status.
func TestKeyNeverShows(t *testing.T) {
	echo := func(r llmtest.ChatRequest) string {
		return "you sent " + r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + ` {"key":"` + testKey + `"} ` + testKey[3:20]
	}
	replies := map[string]func(llmtest.ChatRequest) llmtest.Reply{
		"401": func(r llmtest.ChatRequest) llmtest.Reply { return llmtest.Status(401, echo(r)) },
		"500": func(r llmtest.ChatRequest) llmtest.Reply {
			return llmtest.Reply{Status: 500, Error: echo(r), Code: testKey}
		},
		"text": func(r llmtest.ChatRequest) llmtest.Reply { return llmtest.Reply{Text: echo(r), Reasoning: echo(r)} },
		"call": func(r llmtest.ChatRequest) llmtest.Reply {
			args, _ := json.Marshal(map[string]string{"code": echo(r)})
			return llmtest.Reply{ToolCalls: []llmtest.ToolCall{{Name: "f", Arguments: string(args)}}}
		},
	}
	for what, reply := range replies {
		for name, m := range models(t, llmtest.Options{Reply: reply}) {
			r := ask("x")
			r.Tools = []llm.Tool{{Name: "f"}}
			resp, err := m.Model.Complete(t.Context(), r)
			shown := fmt.Sprintf("%+v %#v", resp, resp)
			for e := err; e != nil; e = errors.Unwrap(e) {
				shown += fmt.Sprintf(" %v %+v %#v", e, e, e)
			}
			if data, jsonErr := json.Marshal(resp); jsonErr == nil {
				shown += string(data)
			}
			if strings.Contains(shown, testKey) || strings.Contains(shown, testKey[3:20]) {
				if !strings.HasPrefix(name, "ollama/") { // no key was sent to it, so this text is only text
					t.Errorf("%s of %s shows the key: %s", what, name, shown)
				}
			}
		}
	}
	srv := llmtest.NewServer(t, llmtest.Options{Key: "another-key-entirely"})
	reg, err := provider.NewRegistry(provider.Config{Getenv: func(name string) string {
		if name == "DEEPREPO_LOCAL_URL" {
			return strings.Replace(srv.URL, "http://", "http://user:secret-password@", 1) + "/v1"
		}
		return env(srv.URL)(name)
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range reg.List(t.Context()) {
		data, err := json.Marshal(s)
		if err != nil || strings.Contains(string(data), testKey) || strings.Contains(string(data), "secret-password") {
			t.Errorf("status shows a secret: %s %v", data, err)
		}
		if s.Provider != "ollama" && s.Reachable {
			t.Errorf("%s is reachable with a wrong key", s.Provider)
		}
	}
}

// TestMoneyEndToEnd: 64 at a time against a real server with 429 storms and broken streams. The bill is the server's
// own, to the pico-dollar, and the cap holds.
func TestMoneyEndToEnd(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		switch {
		case r.Call%7 == 0:
			return llmtest.RateLimited(0)
		case r.Call%11 == 0:
			return llmtest.Status(503, "busy")
		}
		return llmtest.Reply{Text: "ok", Input: int64(50 + r.Call%50), Cached: int64(r.Call % 50), Output: int64(1 + r.Call%100)}
	}})
	h := open(t, provider.Config{Getenv: env(srv.URL)}, "openai/gpt-5")
	limit, err := money.ParseUSD("0.25")
	if err != nil {
		t.Fatal(err)
	}
	budget := llm.NewBudget(limit)
	var wg sync.WaitGroup
	var mu sync.Mutex
	answered, refused := 0, 0
	m := llm.Stack(h, llm.StackConfig{Budget: budget,
		Retry: llm.RetryConfig{Attempts: 50, Rand: func() float64 { return 0.001 }}})
	for g := range 64 {
		wg.Go(func() {
			for i := range 10 {
				_, err := m.Complete(t.Context(), ask(fmt.Sprintf("question %d of %d", i, g)))
				mu.Lock()
				switch {
				case err == nil:
					answered++
				case errors.Is(err, llm.ErrBudget):
					refused++
				default:
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	books, r := srv.Usage(), budget.Report()
	if r.Spent > limit || r.Reserved != 0 || r.Overrun != 0 || r.Uncertain != 0 {
		t.Errorf("budget %+v", r)
	}
	// All replies are in the same band of the price, so the sum of the costs is the cost of the sums.
	if want := h.Price.Cost(llm.Usage{InputTokens: books.Input, CachedTokens: books.Cached, OutputTokens: books.Output}); want != r.Spent {
		t.Errorf("spent %s, the server's books say %s", r.Spent, want)
	}
	if int64(answered) != books.Replies || answered+refused != 640 || refused == 0 || answered < 50 {
		t.Errorf("%d answered (the server says %d), %d refused", answered, books.Replies, refused)
	}
}

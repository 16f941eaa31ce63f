package provider

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/llm"
)

func TestErrorBodies(t *testing.T) {
	tests := []struct {
		name, body    string
		status        int
		message, code string
		kind          llm.Kind
	}{
		{"OpenAI", `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, 429, "You exceeded your current quota", "insufficient_quota", llm.KindQuota},
		{"Anthropic", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`, 529, "Overloaded", "overloaded_error", llm.KindOverloaded},
		{"Anthropic credit", `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API"}}`, 400, "Your credit balance is too low to access the API", "invalid_request_error", llm.KindQuota},
		{"OpenRouter", `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream died"}}}`, 502, "Provider returned error: upstream died", "502", llm.KindOverloaded},
		{"OpenRouter model", `{"error":{"message":"foo/bar is not a valid model ID","code":400}}`, 400, "foo/bar is not a valid model ID", "400", llm.KindUnknownModel},
		{"OpenRouter credit", `{"error":{"message":"Insufficient credits","code":402}}`, 402, "Insufficient credits", "402", llm.KindQuota},
		{"Ollama", `{"error":"model 'x' not found"}`, 404, "model 'x' not found", "", llm.KindUnknownModel},
		{"vLLM", `{"object":"error","message":"The model ` + "`x`" + ` does not exist.","type":"NotFoundError","param":null,"code":404}`, 404, "The model `x` does not exist.", "404", llm.KindUnknownModel},
		{"llama-server", `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000}}`, 400, "the request exceeds the available context size, try increasing it", "400", llm.KindContextLength},
		{"llama-server loading", `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, 503, "Loading model", "503", llm.KindOverloaded},
		{"FastAPI", `{"detail":"Not authenticated"}`, 401, "Not authenticated", "", llm.KindAuth},
		{"nginx", "<html><h1>502 Bad Gateway</h1></html>", 502, "the answer is a web page, not an API's", "", llm.KindOverloaded},
		{"text", "upstream connect error\n", 503, "upstream connect error", "", llm.KindOverloaded},
		{"nothing", "", 500, "", "", llm.KindOverloaded},
		{"wrong path", "404 page not found", 404, "404 page not found", "", llm.KindBadRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			message, code := errorText([]byte(tt.body))
			if message != tt.message || code != tt.code {
				t.Errorf("%q, %q; want %q, %q", message, code, tt.message, tt.code)
			}
			if kind := kindOf(tt.status, code, message); kind != tt.kind {
				t.Errorf("kind %s, want %s", kind, tt.kind)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "2", 2 * time.Second},
		{"Retry-After", "1.5", 1500 * time.Millisecond},
		{"Retry-After", "Sat, 21 Nov 2026 12:00:07 GMT", 7 * time.Second},
		{"Retry-After", "Sat, 21 Nov 2026 11:00:00 GMT", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "1e300", 0},
		{"Retry-After", "999999", time.Hour},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
	}
	for _, tt := range tests {
		if got := retryAfter(http.Header{tt.name: {tt.value}}, now); got != tt.want {
			t.Errorf("%s: %s = %v, want %v", tt.name, tt.value, got, tt.want)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	tests := []struct {
		name  string
		env   map[string]string
		local string // Config.LocalURL
		svc   string
		base  string
		key   string
		here  bool
	}{
		{name: "openai", svc: OpenAI, base: "https://api.openai.com/v1/"},
		{name: "openai elsewhere", svc: OpenAI, env: map[string]string{EnvOpenAIURL: "http://127.0.0.1:9/v1/"}, base: "http://127.0.0.1:9/v1/"},
		{name: "ollama", svc: Ollama, base: "http://127.0.0.1:11434/v1/", here: true},
		{name: "ollama listens on all", svc: Ollama, env: map[string]string{EnvOllamaHost: "0.0.0.0"}, base: "http://127.0.0.1:11434/v1/", here: true},
		{name: "ollama on another machine", svc: Ollama, env: map[string]string{EnvOllamaHost: "gpu:8000"}, base: "http://gpu:8000/v1/"},
		{name: "local", svc: Local, base: "http://127.0.0.1:8080/v1/", here: true},
		{name: "local by OPENAI_BASE_URL takes its key", svc: Local, env: map[string]string{EnvOpenAIURL: "http://localhost:8000/v1", EnvOpenAIKey: "k"}, base: "http://localhost:8000/v1/", key: "k", here: true},
		{name: "local by its own variable does not", svc: Local, env: map[string]string{EnvLocalURL: "http://[::1]:8000/v1", EnvOpenAIKey: "k", EnvOpenAIURL: "x"}, base: "http://[::1]:8000/v1/", here: true},
		{name: "local on another machine is not here", svc: Local, local: "http://10.0.0.5:8000/v1", env: map[string]string{EnvLocalKey: "lk"}, base: "http://10.0.0.5:8000/v1/", key: "lk"},
		{name: "a name that only looks local", svc: Local, local: "http://127.0.0.1.evil.example/v1", base: "http://127.0.0.1.evil.example/v1/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{Getenv: func(k string) string { return tt.env[k] }, LocalURL: tt.local}
			for _, s := range c.services() {
				if s.name == tt.svc && (s.base != tt.base || s.key != tt.key || s.local != tt.here) {
					t.Errorf("base %q, key %q, local %v; want %q, %q, %v", s.base, s.key, s.local, tt.base, tt.key, tt.here)
				}
			}
		})
	}
}

func TestNotConfigured(t *testing.T) {
	reg, err := NewRegistry(Config{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = reg.Open("anthropic/claude-opus-4-6")
	e, ok := err.(*llm.Error)
	if !ok || e.Kind != llm.KindNotConfigured || !strings.Contains(e.Error(), EnvAnthropicKey) || !strings.Contains(e.Hint(), "offline/orchestrator") {
		t.Errorf("%v", err)
	}
	reg, err = NewRegistry(Config{Getenv: func(string) string { return "" }, LocalURL: "localhost:8000"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = reg.Open("local/x"); llm.KindOf(err) != llm.KindNotConfigured {
		t.Errorf("an address without a scheme: %v", err)
	}
	one := llm.Dollars{USD: llm.Dollar}
	if _, err := NewRegistry(Config{Models: map[string]llm.ModelConfig{"a/b": {Input: &one}}}); err == nil {
		t.Error("half a price passes")
	}
}

// TestToolCallPieces: the ways in which servers cut tool calls into stream pieces.
func TestToolCallPieces(t *testing.T) {
	type piece struct {
		index          int64
		id, name, args string
	}
	tests := []struct {
		name   string
		pieces []piece
		want   []llm.ToolCall
	}{
		{"OpenAI", []piece{{0, "a", "f", ""}, {0, "", "", `{"x"`}, {0, "", "", `:1}`}, {1, "b", "g", "{}"}}, []llm.ToolCall{{ID: "a", Name: "f", Arguments: `{"x":1}`}, {ID: "b", Name: "g", Arguments: "{}"}}},
		{"all numbered 0", []piece{{0, "a", "f", "{}"}, {0, "b", "g", "[]"}}, []llm.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}, {ID: "b", Name: "g", Arguments: "[]"}}},
		{"ID and name with every piece", []piece{{0, "a", "f", "{"}, {0, "a", "f", "}"}}, []llm.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}},
		{"name in pieces", []piece{{0, "a", "exec", ""}, {0, "", "ute", ""}}, []llm.ToolCall{{ID: "a", Name: "execute"}}},
		{"interleaved", []piece{{0, "a", "f", "1"}, {1, "b", "g", "2"}, {0, "", "", "3"}, {1, "", "", "4"}}, []llm.ToolCall{{ID: "a", Name: "f", Arguments: "13"}, {ID: "b", Name: "g", Arguments: "24"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a answer
			for _, p := range tt.pieces {
				a.call(p.index, p.id, p.name, p.args)
			}
			if len(a.calls) != len(tt.want) {
				t.Fatalf("%+v, want %+v", a.calls, tt.want)
			}
			for i := range tt.want {
				if a.calls[i] != tt.want[i] {
					t.Errorf("call %d: %+v, want %+v", i, a.calls[i], tt.want[i])
				}
			}
		})
	}
}

func FuzzErrorText(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"m","code":429,"metadata":{"raw":"r"}}}`), 429)
	f.Add([]byte(`{"error":"x"}`), 400)
	f.Add([]byte(`{"error":null,"detail":[1]}`), 0)
	f.Add([]byte("\xff<html>"), 502)
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		s := service{name: Local, secrets: llm.NewScrubber("0123456789abcdef"), c: Config{Prices: &llm.Prices{}}}
		e := s.statusError("local/x", status, http.Header{}, body)
		if e.Kind == "" || len(e.Message) > maxMessage+10 || !utf8.ValidString(e.Message) || strings.ContainsAny(e.Message, "\n\r\x1b\x00") {
			t.Fatalf("%+v", e)
		}
		if strings.Contains(e.Error(), "0123456789abcdef") {
			t.Fatalf("secret in %q", e.Error())
		}
		s.embedded("local/x", string(body))
	})
}

func FuzzToolCallPieces(f *testing.F) {
	f.Add("a,f,{;b,g,}", int64(0))
	f.Fuzz(func(t *testing.T, script string, index int64) {
		var a answer
		total := 0
		for i, p := range strings.Split(script, ";") {
			parts := strings.SplitN(p+",,", ",", 4)
			total += len(parts[2])
			a.call(index+int64(i%3), parts[0], parts[1], parts[2])
		}
		if len(a.calls) != len(a.index) || len(a.calls) > maxCalls {
			t.Fatalf("%d calls, %d numbers", len(a.calls), len(a.index))
		}
		sum := 0
		for _, c := range a.calls {
			sum += len(c.Arguments)
		}
		if sum > total || sum < total && len(a.calls) < maxCalls {
			t.Fatalf("%d bytes of arguments came in, %d were kept", total, sum)
		}
	})
}

func FuzzParseCost(f *testing.F) {
	for _, s := range []string{"0.0001", "1e-300", "-1", `"x"`, "1e400", "0.1234567890123456789"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if cost, err := parseCost(s); err == nil && cost < 0 {
			t.Fatalf("parseCost(%q) = %s", s, cost)
		}
	})
}

package wire_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/wire"
	"github.com/deeprepo/deeprepo/internal/money"
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
			message, code := wire.ErrorText([]byte(tt.body))
			if message != tt.message || code != tt.code {
				t.Errorf("%q, %q; want %q, %q", message, code, tt.message, tt.code)
			}
			if kind := wire.KindOf(tt.status, code, message); kind != tt.kind {
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
		if got := wire.RetryAfter(http.Header{tt.name: {tt.value}}, now); got != tt.want {
			t.Errorf("%s: %s = %v, want %v", tt.name, tt.value, got, tt.want)
		}
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
			var a wire.Calls
			for _, p := range tt.pieces {
				a.Add(p.index, p.id, p.name, p.args)
			}
			if a.Len() != len(tt.want) {
				t.Fatalf("%+v, want %+v", a.List(), tt.want)
			}
			for i := range tt.want {
				if a.List()[i] != tt.want[i] {
					t.Errorf("call %d: %+v, want %+v", i, a.List()[i], tt.want[i])
				}
			}
		})
	}
}

func FuzzToolCallPieces(f *testing.F) {
	f.Add("a,f,{;b,g,}", int64(0))
	f.Fuzz(func(t *testing.T, script string, index int64) {
		var a wire.Calls
		total := 0
		for i, p := range strings.Split(script, ";") {
			parts := strings.SplitN(p+",,", ",", 4)
			total += len(parts[2])
			a.Add(index+int64(i%3), parts[0], parts[1], parts[2])
		}
		if a.Len() > wire.MaxCalls {
			t.Fatalf("%d calls", a.Len())
		}
		sum := 0
		for _, c := range a.List() {
			sum += len(c.Arguments)
		}
		if sum > total || sum < total && a.Len() < wire.MaxCalls {
			t.Fatalf("%d bytes of arguments came in, %d were kept", total, sum)
		}
	})
}

func FuzzParseCost(f *testing.F) {
	for _, s := range []string{"0.0001", "1e-300", "-1", `"x"`, "1e400", "0.1234567890123456789", "9000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if cost, err := wire.Cost(s); err == nil && (cost < 0 || cost > 1e6*money.Dollar) {
			t.Fatalf("wire.Cost(%q) = %s", s, cost)
		}
	})
}

// FuzzErrorText: no body breaks the reader, and every failure has a kind.
func FuzzErrorText(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"m","code":429,"metadata":{"raw":"r"}}}`), 429)
	f.Add([]byte(`{"error":"x"}`), 400)
	f.Add([]byte(`{"error":null,"detail":[1]}`), 0)
	f.Add([]byte("\xff<html>"), 502)
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		message, code := wire.ErrorText(body)
		if wire.KindOf(status, code, message) == "" {
			t.Fatalf("no kind for %d, %q", status, body)
		}
	})
}

// FuzzRetryAfter: a server cannot ask for a negative wait, or for more than an hour.
func FuzzRetryAfter(f *testing.F) {
	f.Add("2", "")
	f.Add("Sat, 21 Nov 2026 12:00:07 GMT", "1e309")
	f.Fuzz(func(t *testing.T, after, ms string) {
		if d := wire.RetryAfter(http.Header{"Retry-After": {after}, "Retry-After-Ms": {ms}}, time.Unix(0, 0)); d < 0 || d > time.Hour {
			t.Fatalf("%q, %q: %v", after, ms, d)
		}
	})
}

package provider_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
)

// canned answers every request with the same bytes.
type canned struct {
	status int
	kind   string // content type
	body   []byte
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	return &http.Response{StatusCode: c.status, Header: http.Header{"Content-Type": {c.kind}}, Body: io.NopCloser(bytes.NewReader(c.body)),
		Request: r}, nil
}

// FuzzReply: whatever a server answers, there is a reply or an *llm.Error; neither holds the key, no count or cost is
// impossible, and a failure after the request went out is free only if the server refused.
func FuzzReply(f *testing.F) {
	for _, body := range []string{
		`{"choices":[{"message":{"content":"hi","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],` +
			`"usage":{"prompt_tokens":3,"completion_tokens":1000000000000000,"cost":0.5}}`,
		`{"choices":[{"text":"hi","finish_reason":"length"}],"usage":{"prompt_tokens":-3,"completion_tokens":2}}`,
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + testKey + "\"}}]}\n\n: ping\n\ndata: {\"error\":{\"code\":429}}\n\n",
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":-1}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}` +
			"\n\ndata: [DONE]\n\n",
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9223372036854775807," +
			"\"cache_read_input_tokens\":5}}}\n\nevent: content_block_start\n" +
			`data: {"type":"content_block_start","content_block":{"type":"text","text":"x"}}` + "\n\nevent: message_delta\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" +
			"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\"}\n\n", "event: error\ndata: {\"type\":\"error\"}\n\n",
		`{"error":{"message":"` + testKey + `","code":502}}`, "<html>", "", "null", "[]", "0", "data: null\n\n",
	} {
		f.Add([]byte(body), 200, false)
		f.Add([]byte(body), 502, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int, streamed bool) {
		if status < 200 || status > 599 {
			status = 200
		}
		kind := "application/json"
		if bytes.Contains(body, []byte("data:")) {
			kind = "text/event-stream"
		}
		client := &http.Client{Transport: canned{status, kind, body}}
		reg, err := provider.NewRegistry(provider.Config{Getenv: env("http://127.0.0.1:9"), Client: client})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"openai/gpt-5", "anthropic/claude-opus-4-6", "openrouter/minimax/minimax-m2.5"} {
			h, err := reg.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []llm.Request{ask("x"), {Prompt: "x"}} {
				if streamed {
					r.OnDelta = func(string) {}
				}
				resp, err := h.Model.Complete(t.Context(), r)
				if err == nil {
					if !resp.Usage.Plausible() || resp.Cost != nil && *resp.Cost < 0 || strings.Contains(resp.Text+resp.Reasoning, testKey) {
						t.Fatalf("%s: %+v", name, resp)
					}
					continue
				}
				e, ok := errors.AsType[*llm.Error](err)
				if !ok || strings.Contains(e.Error()+e.Hint(), testKey) || e.Cost != nil && *e.Cost < 0 || !e.Usage.Plausible() {
					t.Fatalf("%s: %v", name, err)
				}
				if status < 300 && e.Cost == nil && !e.Uncertain() && (r.Prompt == "" || h.Raw) {
					t.Fatalf("%s: a reply that failed is free for certain: %v", name, err)
				}
			}
		}
	})
}

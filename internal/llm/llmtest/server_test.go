package llmtest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
)

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(data)
}

// TestBooks: calls, calls at a time, requests and tokens are what really went over the wire.
func TestBooks(t *testing.T) {
	var start sync.WaitGroup
	start.Add(4)
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Last() == "refuse" {
			return llmtest.RateLimited(1500 * time.Millisecond)
		}
		start.Done()
		start.Wait() // all four are in work now
		return llmtest.Reply{Text: "hi", Input: 10, Cached: 4, Output: 3}
	}})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			status, body := post(t, srv.URL+"/v1/chat/completions",
				`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"u"}]}]}`)
			if status != 200 || !strings.Contains(body, `"prompt_tokens":10`) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	wg.Wait()
	if status, body := post(t, srv.URL+"/v1/messages", `{"model":"m","messages":[{"role":"user","content":"refuse"}]}`); status != 429 ||
		!strings.Contains(body, "rate_limit_error") {
		t.Errorf("%d %s", status, body)
	}
	if got := srv.Usage(); got != (llmtest.Usage{Replies: 4, Input: 40, Cached: 16, Output: 12}) {
		t.Errorf("usage %+v", got)
	}
	if r := srv.Requests(); srv.Calls() != 5 || srv.Peak() != 4 || len(r) != 5 || r[0].System != "s" || r[0].Last() != "u" ||
		r[4].API != "anthropic" {
		t.Errorf("%d calls, %d at a time, requests %+v", srv.Calls(), srv.Peak(), r)
	}
}

// TestCloseEndsHangingCalls: a test that ends while a reply hangs does not hang itself.
func TestCloseEndsHangingCalls(t *testing.T) {
	arrived := make(chan struct{})
	srv := llmtest.NewServer(nil, llmtest.Options{Reply: func(llmtest.ChatRequest) llmtest.Reply {
		close(arrived)
		return llmtest.Reply{Fault: llmtest.Hang}
	}})
	done := make(chan error)
	go func() {
		res, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", bytes.NewReader([]byte(`{"messages":[]}`)))
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	<-arrived
	srv.Close()
	srv.Close()
	<-done
}

func TestStreamIsWellFormed(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: "täxt",
		ToolCalls: []llmtest.ToolCall{{Name: "f", Arguments: `{"a":1}`}}})})
	for _, path := range []string{"/v1/chat/completions", "/v1/messages"} {
		_, body := post(t, srv.URL+path, `{"stream":true,"messages":[{"role":"user","content":"u"}]}`)
		for line := range strings.Lines(body) {
			data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
			if ok && data != "[DONE]" && !json.Valid([]byte(data)) {
				t.Errorf("%s: %q", path, line)
			}
		}
		if !strings.Contains(body, "[DONE]") && !strings.Contains(body, "message_stop") {
			t.Errorf("%s has no end: %s", path, body)
		}
	}
}

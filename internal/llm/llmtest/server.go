package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a running fake server. URL has no path: OpenAI's base URL is URL + "/v1", Anthropic's is URL.
type Server struct {
	URL string

	o    Options
	http *httptest.Server
	done chan struct{}
	once sync.Once

	mu       sync.Mutex
	calls    int
	active   int
	peak     int
	usage    Usage
	requests []ChatRequest
}

// Usage sums the tokens of replies that were sent whole. Input includes Cached and CacheWrite.
type Usage struct{ Replies, Input, Cached, CacheWrite, Output int64 }

// NewServer starts a server. With a test it closes with the test; with nil the caller calls Close.
func NewServer(t testing.TB, o Options) *Server {
	if o.Reply == nil {
		o.Reply = func(r ChatRequest) Reply {
			line, _, _ := strings.Cut(r.Last(), "\n")
			return Text("echo: " + line)
		}
	}
	if len(o.Models) == 0 {
		o.Models = []string{"test-model"}
	}
	s := &Server{o: o, done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve(openAI{}))
	mux.HandleFunc("POST /v1/completions", s.serve(completions{}))
	mux.HandleFunc("POST /v1/messages", s.serve(anthropic{}))
	mux.HandleFunc("GET /v1/models", s.models)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	if t != nil {
		t.Cleanup(s.Close)
	}
	return s
}

// Close ends hanging requests and stops the server. It may be called twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.done)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// AcceptAnyKey drops Options.Key, for providers that send none. Call it before the first request.
func (s *Server) AcceptAnyKey() { s.o.Key = "" }

// Calls is how many completion requests came in, failed ones included.
func (s *Server) Calls() int { s.mu.Lock(); defer s.mu.Unlock(); return s.calls }

// Peak is the most completion requests that were in work at the same time.
func (s *Server) Peak() int { s.mu.Lock(); defer s.mu.Unlock(); return s.peak }

// Usage is the sum over all replies that were sent whole.
func (s *Server) Usage() Usage { s.mu.Lock(); defer s.mu.Unlock(); return s.usage }

// Requests are the completion requests so far, in the order they came in.
func (s *Server) Requests() []ChatRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ChatRequest(nil), s.requests...)
}

// dialect is one wire format.
type dialect interface {
	parse(body []byte) (ChatRequest, error)
	key(h http.Header) string
	fail(w http.ResponseWriter, status int, code, message string)
	answer(out *output, r ChatRequest, reply Reply)
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	if !s.authorized(w, openAI{}, r, anthropic{}.key(r.Header)) {
		return
	}
	type model struct {
		ID        string `json:"id"`
		Object    string `json:"object"`
		Type      string `json:"type"`
		CreatedAt string `json:"created_at"`
		Created   int    `json:"created"`
	}
	list := []model{}
	for _, id := range s.o.Models {
		list = append(list, model{ID: id, Object: "model", Type: "model", CreatedAt: "2026-01-01T00:00:00Z"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list, "has_more": false})
}

func (s *Server) authorized(w http.ResponseWriter, d dialect, r *http.Request, alternatives ...string) bool {
	got := d.key(r.Header)
	if s.o.Key == "" || got == s.o.Key {
		return true
	}
	for _, k := range alternatives {
		if k == s.o.Key {
			return true
		}
	}
	d.fail(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided: "+got+" (header was "+r.Header.Get("Authorization")+")")
	return false
}

func (s *Server) serve(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.calls++
		call := s.calls
		s.active++
		s.peak = max(s.peak, s.active)
		s.mu.Unlock()
		defer func() { s.mu.Lock(); s.active--; s.mu.Unlock() }()

		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		req, err := d.parse(body)
		if err != nil {
			d.fail(w, http.StatusBadRequest, "bad_request", err.Error())
			return
		}
		req.Call, req.Header, req.Body = call, r.Header, body
		s.mu.Lock()
		if len(s.requests) < 10_000 {
			s.requests = append(s.requests, req)
		}
		s.mu.Unlock()
		if !s.authorized(w, d, r) {
			return
		}
		reply := s.o.Reply(req)
		if wait := s.o.Latency + reply.Latency; wait > 0 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-r.Context().Done():
				return
			case <-s.done:
				return
			}
		}
		s.respond(w, r, d, req, reply)
	}
}

func (s *Server) respond(w http.ResponseWriter, r *http.Request, d dialect, req ChatRequest, reply Reply) {
	switch reply.Fault {
	case Hang:
		select {
		case <-r.Context().Done():
		case <-s.done:
		}
		return
	case Reset:
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			c.Close()
		}
		return
	case InvalidJSON:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id": "x", "choices": [{"message"`)
		return
	case HTML:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html><body>Welcome to the hotel network</body></html>")
		return
	}
	if reply.Status != 0 {
		if reply.Location != "" {
			w.Header().Set("Location", reply.Location)
		}
		if reply.RetryAfter > 0 {
			w.Header().Set("Retry-After", seconds(reply.RetryAfter))
		}
		if reply.Error == "" {
			reply.Error = http.StatusText(reply.Status)
		}
		d.fail(w, reply.Status, reply.Code, reply.Error)
		return
	}
	if reply.Input == 0 {
		reply.Input = max(1, int64(len(req.Body))/4)
	}
	if reply.Output == 0 {
		n := len(reply.Text) + len(reply.Reasoning)
		for _, c := range reply.ToolCalls {
			n += len(c.Arguments)
		}
		reply.Output = max(1, int64(n)/4)
	}
	for i := range reply.ToolCalls {
		if reply.ToolCalls[i].ID == "" {
			reply.ToolCalls = append([]ToolCall(nil), reply.ToolCalls...)
			reply.ToolCalls[i].ID = callID(req.Call, i)
		}
	}
	out := &output{w: w, fault: reply.Fault, stream: req.Stream}
	d.answer(out, req, reply)
	if !out.endless(r.Context(), s.done) {
		return
	}
	if !out.finish() {
		return
	}
	s.mu.Lock()
	s.usage.Replies++
	s.usage.Input += reply.Input
	s.usage.Cached += reply.Cached
	s.usage.CacheWrite += reply.CacheWrite
	s.usage.Output += reply.Output
	s.mu.Unlock()
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

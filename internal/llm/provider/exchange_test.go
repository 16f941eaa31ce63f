package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/money"
)

// strict are limits that a test can wait for.
var strict = provider.Limits{Connect: 10 * time.Second, Begin: 200 * time.Millisecond, Idle: 200 * time.Millisecond,
	Call: 600 * time.Millisecond}

// failing asks once and gives the error.
func failing(t *testing.T, ctx context.Context, c provider.Config, name string, r llm.Request) *llm.Error {
	t.Helper()
	_, err := open(t, c, name).Model.Complete(ctx, r)
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Fatalf("error %v (%T) is no *llm.Error", err, err)
	}
	return e
}

// TestSlowServersAreGivenUp: whatever a server does instead of answering, the call ends, and may have been billed.
func TestSlowServersAreGivenUp(t *testing.T) {
	for _, tt := range []struct {
		fault           llmtest.Fault
		whole, streamed string // what is said
	}{
		{llmtest.Hang, "no complete reply within 600ms", "did not begin within 200ms"},
		{llmtest.Stall, "stood still for 200ms", "stood still for 200ms"},
		{llmtest.Trickle, "no complete reply within 600ms", "no complete reply within 600ms"},
	} {
		for _, name := range []string{"openai/gpt-5", "anthropic/claude-opus-4-6", "local/any"} {
			for _, kind := range []string{"whole", "streamed", "raw"} {
				r, want := ask("x"), tt.whole
				switch {
				case strings.HasPrefix(name, "anthropic/") && kind != "streamed":
					continue // it always streams, and takes no raw prompt
				case kind == "streamed":
					r.OnDelta, want = func(string) {}, tt.streamed
				case kind == "raw":
					r = llm.Request{Prompt: "x", MaxTokens: 10}
				}
				t.Run(fmt.Sprintf("%s/%s/%s", tt.fault, name, kind), func(t *testing.T) {
					t.Parallel()
					srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: "some text", Fault: tt.fault})})
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
					defer cancel()
					e := failing(t, ctx, provider.Config{Getenv: env(srv.URL), Limits: strict}, name, r)
					paid := name != "local/any"
					if e.Kind != llm.KindTimeout || !strings.Contains(e.Error(), want) || e.Model != name || e.Uncertain() != paid || !e.Temporary() {
						t.Errorf("kind %s, uncertain %v: %v; want %q", e.Kind, e.Uncertain(), e, want)
					}
				})
			}
		}
	}
}

// TestNoConnection: a host that drops what is sent to it is given up, and nothing is billed.
func TestNoConnection(t *testing.T) {
	limits := strict
	limits.Connect = 50 * time.Millisecond
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done() // a host that drops what is sent to it
		return nil, ctx.Err()
	}}}
	e := failing(t, t.Context(), provider.Config{Getenv: env("http://127.0.0.1:9"), Limits: limits, Client: client}, "openai/gpt-5", ask("x"))
	if e.Kind != llm.KindConnection || e.Uncertain() || !strings.Contains(e.Error(), "no connection within 50ms") {
		t.Errorf("kind %s, uncertain %v: %v", e.Kind, e.Uncertain(), e)
	}
}

// TestFloods: a hundred replies without an end at a time are given up before they fill the memory.
func TestFloods(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault llmtest.Fault
		model string
		delta func(string)
		calls int
		limit int // tokens
	}{
		{"whole", llmtest.Flood, "openai/gpt-5", nil, 100, llm.DefaultMaxTokens},
		{"one line", llmtest.Flood, "openai/gpt-5", func(string) {}, 100, llm.DefaultMaxTokens},
		{"events", llmtest.FloodEvents, "openai/gpt-5", func(string) {}, 2, 100}, // which take time, and no memory
		{"one line of Anthropic's", llmtest.Flood, "anthropic/claude-opus-4-6", nil, 100, llm.DefaultMaxTokens},
		{"events of Anthropic's", llmtest.FloodEvents, "anthropic/claude-opus-4-6", nil, 2, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: strings.Repeat("flood ", 200), Fault: tt.fault})})
			m := open(t, provider.Config{Getenv: env(srv.URL)}, tt.model).Model
			r := ask("x")
			r.MaxTokens, r.OnDelta = tt.limit, tt.delta
			peak := peakMemory(t)
			var wg sync.WaitGroup
			for range tt.calls {
				wg.Go(func() {
					_, err := m.Complete(t.Context(), r)
					e, ok := errors.AsType[*llm.Error](err)
					if !ok || e.Kind != llm.KindInvalid || !e.Uncertain() || !strings.Contains(e.Error(), fmt.Sprintf("the %d tokens", tt.limit)) {
						t.Errorf("%v", err)
					}
				})
			}
			wg.Wait()
			if mib := peak() >> 20; mib > 700 {
				t.Errorf("%d MiB for a hundred replies", mib)
			} else {
				t.Logf("%d MiB", mib)
			}
		})
	}
}

// peakMemory watches how much the heap grows until the function is called, with Go's own pace of collecting garbage.
func peakMemory(t *testing.T) func() uint64 {
	t.Helper()
	pace := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(pace) })
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc)))
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(stop); <-done; return peak.Load() }
}

// TestLongRepliesPass: what a model can really write is not taken for a flood.
func TestLongRepliesPass(t *testing.T) {
	const tokens = 8192
	text := strings.Repeat("<ä\n\u2028>", tokens)
	for name, m := range models(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Text: text, Reasoning: text})}) {
		r := ask("x")
		r.MaxTokens = tokens
		for _, delta := range []func(string){nil, func(string) {}} {
			r.OnDelta = delta
			if got, err := m.Model.Complete(t.Context(), r); err != nil || got.Text != text {
				t.Errorf("%s: %d bytes, %v", name, len(got.Text), err)
			}
		}
	}
}

// TestRedirects: neither request nor key goes to another server, and what will fail every time is not tried again.
func TestRedirects(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, name := range []string{"openai/gpt-5", "anthropic/claude-opus-4-6"} {
			var elsewhere atomic.Int32
			other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { elsewhere.Add(1) }))
			defer other.Close()
			for _, to := range []string{other.URL + "/v1/secret?key=" + testKey, "ftp://127.0.0.1/x", "", "/v1/chat/completions", "/v1/messages"} {
				srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(llmtest.Reply{Status: status, Location: to})})
				e := failing(t, t.Context(), provider.Config{Getenv: env(srv.URL)}, name, ask("x"))
				if e.Kind != llm.KindUnreachable || e.Temporary() || e.Uncertain() || e.Hint() == "" || strings.Contains(e.Error()+e.Hint(), testKey) {
					t.Errorf("%d to %q: kind %s, uncertain %v: %v (%s)", status, to, e.Kind, e.Uncertain(), e, e.Hint())
				}
				if srv.Calls() > 6 {
					t.Errorf("%d to %q: asked %d times", status, to, srv.Calls())
				}
			}
			if elsewhere.Load() != 0 {
				t.Errorf("%d: another server was asked", status)
			}
		}
	}
	calls := 0
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(llmtest.ChatRequest) llmtest.Reply {
		if calls++; calls == 1 {
			return llmtest.Reply{Status: 307, Location: "/v1/chat/completions"}
		}
		return llmtest.Text("here")
	}})
	if got, err := open(t, provider.Config{Getenv: env(srv.URL)}, "openai/gpt-5").Model.Complete(t.Context(), ask("x")); err != nil ||
		got.Text != "here" {
		t.Errorf("a redirect within the server: %+v, %v", got, err)
	}
	down := httptest.NewTLSServer(http.RedirectHandler(srv.URL+"/v1/chat/completions", http.StatusTemporaryRedirect))
	defer down.Close()
	calls = 1
	e := failing(t, t.Context(), provider.Config{Getenv: env(down.URL), Client: down.Client()}, "openai/gpt-5", ask("x"))
	if e.Kind != llm.KindUnreachable || calls != 1 {
		t.Errorf("from https to http: %v, %d calls", e, calls-1)
	}
}

// TestUnreachable: an address that cannot work fails at once, with a hint; what passes is tried again. Neither is billed.
func TestUnreachable(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	secure.Config.ErrorLog = nil
	plain := llmtest.NewServer(t, llmtest.Options{})
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	dns := func(notFound bool) *http.Client {
		return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.example", IsNotFound: notFound}}
		}}}
	}
	trusting := secure.Client()
	for _, tt := range []struct {
		name, url string
		client    *http.Client
		kind      llm.Kind
		hint      string
	}{
		{"unknown authority", secure.URL, nil, llm.KindUnreachable, "SSL_CERT_FILE"},
		{"another name", strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), trusting, llm.KindUnreachable, "another name"},
		{"no TLS there", strings.Replace(plain.URL, "http:", "https:", 1), nil, llm.KindUnreachable, "http://"},
		{"no such host", "http://api.example", dns(true), llm.KindUnreachable, "OPENAI_BASE_URL"},
		{"no name server", "http://api.example", dns(false), llm.KindConnection, ""},
		{"nobody listens", "http://" + closed.Addr().String(), nil, llm.KindConnection, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := failing(t, t.Context(), provider.Config{Getenv: env(tt.url), Client: tt.client}, "openai/gpt-5", ask("x"))
			if e.Kind != tt.kind || e.Temporary() != (tt.kind == llm.KindConnection) || e.Uncertain() || !strings.Contains(e.Hint(), tt.hint) {
				t.Errorf("kind %s, uncertain %v, hint %q: %v", e.Kind, e.Uncertain(), e.Hint(), e)
			}
		})
	}
}

// TestALostNameIsTheNetworksTrouble: a host that was found before will be found again.
func TestALostNameIsTheNetworksTrouble(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{})
	lost := false
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		if lost {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}}
		}
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dial}}
	m := open(t, provider.Config{Getenv: env(srv.URL), Client: client}, "openai/gpt-5").Model
	if _, err := m.Complete(t.Context(), ask("x")); err != nil {
		t.Fatal(err)
	}
	lost = true
	if _, err := m.Complete(t.Context(), ask("x")); llm.KindOf(err) != llm.KindConnection {
		t.Errorf("%v", err)
	}
}

// TestWhatMayHaveBeenBilled: a failure is free when the request did not go out or was refused, and on the bill perhaps
// when the provider may have worked on it. The retry that succeeds carries what the failed attempts may have cost.
func TestWhatMayHaveBeenBilled(t *testing.T) {
	for _, tt := range []struct {
		name      string
		reply     llmtest.Reply
		uncertain bool
	}{
		{"429", llmtest.RateLimited(0), false},
		{"400", llmtest.Status(400, "no"), false},
		{"401", llmtest.Status(401, "no"), false},
		{"408", llmtest.Status(408, "no"), false},
		{"500", llmtest.Status(500, "no"), true},
		{"502", llmtest.Status(502, "no"), true},
		{"503", llmtest.Status(503, "no"), false},
		{"504", llmtest.Status(504, "no"), true},
		{"529", llmtest.Status(529, "no"), false},
		{"closed without an answer", llmtest.Reply{Fault: llmtest.Reset}, true},
		{"broken body", llmtest.Reply{Text: "some text", Fault: llmtest.Truncate}, true},
		{"cut stream", llmtest.Reply{Text: "some text", Fault: llmtest.SilentTruncate}, true},
		{"no JSON", llmtest.Reply{Fault: llmtest.InvalidJSON}, true},
		{"a web page", llmtest.Reply{Fault: llmtest.HTML}, true},
	} {
		for _, name := range []string{"openai/gpt-5", "anthropic/claude-opus-4-6"} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				srv := llmtest.NewServer(t, llmtest.Options{Reply: llmtest.Script(tt.reply, llmtest.Reply{Text: "ok", Input: 100, Output: 10})})
				h := open(t, provider.Config{Getenv: env(srv.URL)}, name)
				budget := llm.NewBudget(100 * money.Dollar)
				m := llm.Stack(h, llm.StackConfig{Budget: budget, Retry: llm.RetryConfig{Base: time.Millisecond}})
				resp, err := m.Complete(t.Context(), ask("x"))
				unsure := budget.Report().Uncertain
				if (unsure > 0) != tt.uncertain {
					t.Errorf("the budget books %s as uncertain", unsure)
				}
				if e, ok := errors.AsType[*llm.Error](err); ok {
					if e.Uncertain() != tt.uncertain || (e.Most != nil && *e.Most > 0) != tt.uncertain {
						t.Errorf("uncertain %v, at most %v: %v", e.Uncertain(), e.Most, e)
					}
					return
				}
				if resp.Earlier.Attempts != 1 || (resp.Earlier.Unsettled == 1) != tt.uncertain || (resp.Earlier.Most > 0) != tt.uncertain {
					t.Errorf("earlier attempts %+v", resp.Earlier)
				}
				if tt.uncertain && resp.Earlier.Most < unsure/2 {
					t.Errorf("at most %s, and the budget held %s", resp.Earlier.Most, unsure)
				}
			})
		}
	}
}

// TestGivenUpBeforeItWentOut: such a call is free; one that is given up while the model works is not.
func TestGivenUpBeforeItWentOut(t *testing.T) {
	connecting := make(chan struct{})
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		close(connecting)
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-connecting; cancel() }()
	e := failing(t, ctx, provider.Config{Getenv: env("http://127.0.0.1:9"), Client: client}, "openai/gpt-5", ask("x"))
	if e.Kind != llm.KindCanceled || e.Uncertain() {
		t.Errorf("while connecting: kind %s, uncertain %v: %v", e.Kind, e.Uncertain(), e)
	}
	ctx, cancel = context.WithCancel(t.Context())
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(llmtest.ChatRequest) llmtest.Reply {
		cancel()
		return llmtest.Reply{Fault: llmtest.Hang}
	}})
	e = failing(t, ctx, provider.Config{Getenv: env(srv.URL)}, "openai/gpt-5", ask("x"))
	if e.Kind != llm.KindCanceled || !e.Uncertain() {
		t.Errorf("while it is answered: kind %s, uncertain %v: %v", e.Kind, e.Uncertain(), e)
	}
}

// TestErrorBodyIsBounded: a status is an answer, also when its body has no end.
func TestErrorBodyIsBounded(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("no ", 10_000)); err != nil {
				return
			}
		}
	}))
	defer srv.Close()
	for _, name := range []string{"openai/gpt-5", "anthropic/claude-opus-4-6"} {
		e := failing(t, t.Context(), provider.Config{Getenv: env(srv.URL)}, name, ask("x"))
		if e.Kind != llm.KindBadRequest || e.Uncertain() || len(e.Error()) > 1000 {
			t.Errorf("kind %s, %d bytes", e.Kind, len(e.Error()))
		}
	}
}

// TestNull: the shortest valid JSON is no reply, and no reason to crash; neither is it a list of models.
func TestNull(t *testing.T) {
	c := provider.Config{Getenv: env("http://127.0.0.1:9"), Client: &http.Client{Transport: canned{200, "application/json", []byte("null")}}}
	for _, r := range []llm.Request{ask("x"), {Prompt: "x"}} {
		if e := failing(t, t.Context(), c, "openai/gpt-5", r); e.Kind != llm.KindInvalid || !e.Uncertain() {
			t.Errorf("kind %s, uncertain %v: %v", e.Kind, e.Uncertain(), e)
		}
	}
	reg, err := provider.NewRegistry(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range reg.List(t.Context()) {
		if s.Reachable {
			t.Errorf("%+v", s)
		}
	}
}

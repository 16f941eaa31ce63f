package runcode_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
)

// scripted is a sandbox whose programs say what becomes of them: "wait" until released, "print X", "judge JSON".
type scripted struct {
	release chan struct{}

	mu      sync.Mutex
	running int
	most    int
	order   []string
	last    sandbox.Program
}

func newScripted() *scripted { return &scripted{release: make(chan struct{})} }

func (e *scripted) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	e.mu.Lock()
	e.running++
	e.most = max(e.most, e.running)
	e.order = append(e.order, p.Code)
	e.last = p
	e.mu.Unlock()
	defer func() { e.mu.Lock(); e.running--; e.mu.Unlock() }()
	word, rest, _ := strings.Cut(p.Code, " ")
	switch word {
	case "wait":
		select {
		case <-e.release:
		case <-ctx.Done():
			return sandbox.Judgement{}, ctx.Err()
		}
	case "print":
		return sandbox.Judgement{Verdict: sandbox.Passed, Stdout: rest, Wall: 20 * time.Millisecond, Steps: 7}, nil
	case "judge":
		var j sandbox.Judgement
		return j, json.Unmarshal([]byte(rest), &j)
	case "broken":
		return sandbox.Judgement{}, errors.New("the engine is broken")
	}
	return sandbox.Judgement{Verdict: sandbox.Passed}, nil
}

func (e *scripted) state() (running, begun int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running, len(e.order)
}

// serve starts a server for the length of a test and gives its base URL.
func serve(t testing.TB, c runcode.Config) (*runcode.Server, string) {
	t.Helper()
	s, err := runcode.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() { s.Close(); h.Close() })
	return s, access.BaseURL(strings.TrimPrefix(h.URL, "http://"), c.Token)
}

// reply is an answer as clients read it.
type reply struct {
	Detail    string
	Status    string
	Message   string
	RunResult *struct {
		Status     string
		Seconds    *float64 `json:"execution_time"`
		ReturnCode *int     `json:"return_code"`
		Stdout     string
		Stderr     string
	} `json:"run_result"`
	Files   map[string]string
	Verdict sandbox.Verdict
	Error   *struct{ Type, Message string }
	Results []struct {
		Name    string
		Verdict sandbox.Verdict
	}
}

// code is the exit status, -1 for none.
func (r reply) code() int {
	if r.RunResult == nil || r.RunResult.ReturnCode == nil {
		return -1
	}
	return *r.RunResult.ReturnCode
}

func post(t testing.TB, url string, body any) (*http.Response, []byte) {
	t.Helper()
	raw, ok := body.(string)
	if !ok {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(data)
	}
	response, err := http.Post(url, "application/json", strings.NewReader(raw))
	if err != nil {
		t.Error(err)
		return &http.Response{}, []byte("{}")
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response, data
}

func runCode(t testing.TB, base string, body any) (int, reply) {
	t.Helper()
	response, data := post(t, base+"/run_code", body)
	return response.StatusCode, parse(t, data)
}

func parse(t testing.TB, data []byte) reply {
	t.Helper()
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		t.Errorf("%v in %s", err, data)
	}
	return r
}

func runBatch(t testing.TB, base string, body any) (int, []reply) {
	t.Helper()
	response, data := post(t, base+"/run_batch", body)
	var b struct {
		Results []reply
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&b); err != nil {
		t.Errorf("%v in %s", err, data)
	}
	return response.StatusCode, b.Results
}

// program is a request's body.
type program = map[string]any

func python(code string) program { return program{"code": code, "language": "python"} }

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("it never came: %s", what)
}

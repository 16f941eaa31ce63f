package runcode_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/runcode"
	"github.com/google/go-cmp/cmp"
)

// load is what /about says about the queue.
type load struct{ Taken, Running, Places int }

func about(t testing.TB, base string) load {
	t.Helper()
	response, err := http.Get(base + "/about")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var a load
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestBackPressure fills the workers and the queue.
func TestBackPressure(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e, Workers: 2, Queue: 3})
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if status, r := runCode(t, base, python("wait")); status != 200 || r.Status != "Success" {
				t.Errorf("%d %+v", status, r)
			}
		})
	}
	eventually(t, "all places are taken", func() bool { a := about(t, base); return a.Taken == 5 && a.Running == 2 && a.Places == 5 })
	response, data := post(t, base+"/run_code", python("print 1"))
	after, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if response.StatusCode != 503 || err != nil || after < 1 || after > 60 || !strings.Contains(string(data), "the queue is full") {
		t.Errorf("%d %v %s", response.StatusCode, response.Header, data)
	}
	if response, _ := post(t, base+"/run_batch", program{"programs": []program{python("print 1")}}); response.StatusCode != 503 {
		t.Errorf("a batch: %d", response.StatusCode)
	}
	close(e.release)
	wg.Wait()
	if e.most != 2 {
		t.Errorf("%d programs ran at once", e.most)
	}
	if status, _ := runCode(t, base, python("print 1")); status != 200 {
		t.Errorf("afterwards: %d", status)
	}
	if a := about(t, base); a.Taken != 0 || a.Running != 0 {
		t.Errorf("places are lost: %+v", a)
	}
	// A batch that does not fit is refused whole, and takes nothing.
	var four []program
	for range 6 {
		four = append(four, python("print 1"))
	}
	if status, _ := runBatch(t, base, program{"programs": four[:4]}); status != 200 {
		t.Errorf("a batch that fits: %d", status)
	}
	if response, data := post(t, base+"/run_batch", program{"programs": four}); response.StatusCode != 422 ||
		!strings.Contains(string(data), "at most 4") {
		t.Errorf("a batch that never fits: %d %s", response.StatusCode, data)
	}
}

// TestHeldBytes refuses what would not fit into memory.
func TestHeldBytes(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e, HeldBytes: 300})
	done := make(chan int, 1)
	go func() {
		status, _ := runCode(t, base, python("wait "+strings.Repeat("x", 150)))
		done <- status
	}()
	eventually(t, "it runs", func() bool { running, _ := e.state(); return running == 1 })
	if response, data := post(t, base+"/run_code", python(strings.Repeat("x", 150))); response.StatusCode != 503 ||
		!strings.Contains(string(data), "bytes") {
		t.Errorf("%d %s", response.StatusCode, data)
	}
	close(e.release)
	if status := <-done; status != 200 {
		t.Error(status)
	}
	if status, _ := runCode(t, base, python(strings.Repeat("x", 1000))); status != 200 {
		t.Errorf("a large one alone: %d", status)
	}
}

// TestLate answers what waited too long with the status that clients repeat.
func TestLate(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e, Workers: 1, Wait: 30 * time.Millisecond})
	done := make(chan int, 1)
	go func() {
		status, _ := runCode(t, base, python("wait"))
		done <- status
	}()
	eventually(t, "it runs", func() bool { running, _ := e.state(); return running == 1 })
	if response, _ := post(t, base+"/run_code", python("print 1")); response.StatusCode != 504 || response.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", response.StatusCode, response.Header)
	}
	close(e.release)
	if status := <-done; status != 200 {
		t.Error(status)
	}
}

// TestClientGone frees the worker of a client that hung up, and does not run what it still had waiting.
func TestClientGone(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e, Workers: 1})
	send := func(code string) context.CancelFunc {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "POST", base+"/run_code", strings.NewReader(`{"code":"`+code+`","language":"python"}`))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if response, err := http.DefaultClient.Do(r); err == nil {
				response.Body.Close()
				t.Error("somebody answered")
			}
		}()
		return cancel
	}
	runs := send("wait 1")
	eventually(t, "it runs", func() bool { running, _ := e.state(); return running == 1 })
	waits := send("wait 2")
	eventually(t, "the other waits", func() bool { return about(t, base).Taken == 2 })
	waits()
	eventually(t, "its place is free", func() bool { return about(t, base).Taken == 1 })
	runs()
	if status, _ := runCode(t, base, python("print 1")); status != 200 {
		t.Error(status)
	}
	if diff := cmp.Diff([]string{"wait 1", "print 1"}, e.order); diff != "" {
		t.Error(diff)
	}
}

// TestShutdown answers what runs, refuses what waits, and ends.
func TestShutdown(t *testing.T) {
	e := newScripted()
	s, err := runcode.New(runcode.Config{Executor: e, Workers: 1, Grace: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	base := "http://" + l.Addr().String()
	statuses := make(chan int, 3)
	go func() { status, _ := runCode(t, base, python("wait")); statuses <- status }()
	eventually(t, "it runs", func() bool { running, _ := e.state(); return running == 1 })
	batch := make(chan []reply, 1)
	go func() {
		_, r := runBatch(t, base, program{"programs": []program{python("wait"), python("x")}})
		batch <- r
	}()
	go func() { status, _ := runCode(t, base, python("wait")); statuses <- status }()
	slow, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /run_code HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
	eventually(t, "all of them have a place", func() bool { return about(t, base).Taken == 5 })
	began := time.Now()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("a client that does not send its request held the end up for %v", took)
	}
	for range 2 {
		if status := <-statuses; status != 503 {
			t.Errorf("%d", status)
		}
	}
	for _, r := range <-batch {
		if r.Status != "SandboxError" || !strings.Contains(r.Message, "shutting down") {
			t.Errorf("%+v", r)
		}
	}
	if _, err := runcode.New(runcode.Config{}); err == nil {
		t.Error("a server without a sandbox was made")
	}
}

// TestSlowBody gives a place back that a client holds without sending.
func TestSlowBody(t *testing.T) {
	s, base := serve(t, runcode.Config{Executor: newScripted(), BodyWait: 50 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /run_code HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{\"code\":")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "408") {
		t.Errorf("%q %v", line, err)
	}
	s.Close() // would wait for the place
}

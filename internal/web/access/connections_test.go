package access_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/access"
)

const secret = "correct-horse-battery"

// start serves a handler behind a guard. stop ends the server and gives how long that took.
func start(t *testing.T, limits access.Limits, handler http.HandlerFunc) (address string, stop func() time.Duration) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	guard := access.Guard{Token: secret, Open: []string{"/health"}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- access.Serve(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r, refused := guard.Admit(w.Header(), r)
			if refused != nil {
				w.WriteHeader(refused.Status)
				return
			}
			handler(w, r)
		}), limits, func() {})
	}()
	var took time.Duration
	stop = func() time.Duration {
		if ctx.Err() == nil {
			began := time.Now()
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
			took = time.Since(began)
		}
		return took
	}
	t.Cleanup(func() { stop() })
	return l.Addr().String(), stop
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

// open sends the beginning of a request, and no more.
func open(t *testing.T, address, beginning string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_, _ = io.WriteString(c, beginning) // the server may have closed it already
	return c
}

// ask sends a request with the token over a connection of its own.
func ask(t *testing.T, client *http.Client, address string) {
	t.Helper()
	answer, err := client.Get(access.BaseURL(address, secret) + "/")
	if err != nil {
		t.Error(err)
		return
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "hello" {
		t.Errorf("%d, %q, %v", answer.StatusCode, body, err)
	}
}

func TestConnectionsWithoutTheTokenStarveNobody(t *testing.T) {
	address, stop := start(t, access.Limits{Connections: 64, Grace: time.Minute}, hello)
	host := "Host: 127.0.0.1\r\n"
	for name, beginning := range map[string]string{
		"no byte":              "",
		"half a header":        "GET / HTTP/1.1\r\nHost: 127",
		"no token and no body": "POST / HTTP/1.1\r\n" + host + "Content-Length: 100\r\n\r\n",
		"an open path":         "POST /health HTTP/1.1\r\n" + host + "Content-Length: 100\r\n\r\n",
		"a refused request":    "GET / HTTP/1.1\r\n" + host + "\r\n",
		"idle with the token":  "GET /t/" + secret + "/ HTTP/1.1\r\n" + host + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			for range 150 {
				open(t, address, beginning)
			}
			began := time.Now()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
			ask(t, client, address)
			if took := time.Since(began); took > 3*time.Second { // a moment, but machines are busy
				t.Errorf("the answer took %v", took)
			}
		})
	}
	for range 64 {
		open(t, address, "GET / HTTP/1.1\r\nHost: 127")
	}
	if took := stop(); took > 4*time.Second { // net/http alone waits 5 s for new connections
		t.Errorf("the server ended after %v", took)
	}
}

func TestAnswersAreNotCutOffForNewConnections(t *testing.T) {
	begun, release := make(chan struct{}, 3), make(chan struct{})
	address, _ := start(t, access.Limits{Connections: 2, Grace: time.Second}, func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		select {
		case <-release:
			hello(w, r)
		case <-r.Context().Done():
		}
	})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	done := make(chan struct{}, 3)
	for range 3 {
		go func() { ask(t, client, address); done <- struct{}{} }()
	}
	<-begun
	<-begun
	for range 10 {
		open(t, address, "GET /")
	}
	select {
	case <-begun:
		t.Error("a third request was let in beside two")
	case <-time.After(100 * time.Millisecond):
	}
	close(release) // the third has the first's place
	for range 3 {
		<-done
	}
}

func TestIdleConnectionsWithTheTokenAreClosedLast(t *testing.T) {
	address, _ := start(t, access.Limits{Connections: 2, Grace: time.Second}, hello)
	get := func(c net.Conn, path, want string) {
		t.Helper()
		_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if body, err := io.ReadAll(answer.Body); err != nil || answer.Status != want {
			t.Fatal(answer.Status, string(body), err)
		}
	}
	known := open(t, address, "")
	get(known, "/t/"+secret+"/", "200 OK")
	for range 10 {
		get(open(t, address, ""), "/", "401 Unauthorized")
	}
	get(known, "/t/"+secret+"/", "200 OK")
}

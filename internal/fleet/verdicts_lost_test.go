package fleet_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// A batch waits until the hub has its verdicts, so that a slow hub is not flooded; one that never says so holds up nobody for long.
func TestVerdictsAreNotPouredOut(t *testing.T) {
	h := start(t, 0)
	nc, js, _ := raw(t, h, hub.RoleAdmin)
	if err := js.DeleteStream(t.Context(), "deeprepo_verdicts"); err != nil {
		t.Fatal(err)
	}
	heard := make(chan *nats.Msg, 100) // instead of it
	if _, err := nc.ChanSubscribe("deeprepo.verdict.*", heard); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	var box counter
	work(t, h, "one", 1, box.exec)
	judged := func(from, to int) chan time.Duration {
		done, began := make(chan time.Duration, 1), time.Now()
		go func() {
			batch(t, h, programs(from, to)...)
			done <- time.Since(began)
		}()
		return done
	}
	done := judged(0, 5)
	for range 4 {
		if m := <-heard; m.Reply != "" {
			t.Error("each is waited for")
		}
	}
	last := <-heard
	select {
	case <-done:
		t.Fatal("the batch does not wait for the hub")
	case <-time.After(500 * time.Millisecond):
	}
	if err := last.Respond([]byte(`{"stream":"deeprepo_verdicts","seq":5}`)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Error("the batch waits for more than the last one")
	}
	if took := <-judged(5, 10); took < time.Second || took > 10*time.Second {
		t.Errorf("without an answer it took %v", took)
	}
}

// A server drops what it cannot take in. That costs time, and no verdict.
func TestLostVerdictsAreFoundAgain(t *testing.T) {
	t.Parallel()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		StreamMaxBufferedMsgs: 16})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	connect := func() *fleet.Conn {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: s.ClientURL(), Build: build})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	c := connect()
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	const many = 5000
	flood := make([]*nats.Msg, many)
	for i := range flood {
		p := sandbox.Program{Code: "program " + strconv.Itoa(i)}
		flood[i] = fleet.Verdict(t, build, p, []byte(`{"Verdict":"passed","Stdout":"`+p.Code+`"}`), key)
	}
	for _, m := range flood {
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	var box counter
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- c.Work(ctx, fleet.Work{Name: "one", Slots: 1,
			Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(boxFunc(box.exec))}})
	}()
	pool, err := connect().Pool(fleet.KindJudge)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < many; from += many / 10 {
		for i, j := range batchOf(t, pool, programs(from, from+20)...) {
			if want := "program " + strconv.Itoa(from+i); j.Verdict != sandbox.Passed || j.Stdout != want {
				t.Errorf("%s: %+v", want, j)
			}
		}
	}
	if n := box.total(); n == 0 || n == 200 {
		t.Errorf("%d of 200 programs ran: the flood lost none, or all", n)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

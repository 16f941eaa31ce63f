package ui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// working is a fleet whose workers have done so much; all said so a moment ago.
func working(at time.Time, done map[string]int64) fleet.Status {
	s := fleet.Status{Version: "v1", At: at}
	for name, n := range done {
		s.Workers = append(s.Workers, fleet.WorkerStatus{Name: name, Kinds: []fleet.Kind{fleet.KindJudge}, Slots: 2, Done: n, UpSeconds: 1000 +
			at.Sub(noon).Seconds(), Seen: at.Add(-time.Second)})
	}
	return s
}

// answer is what a server says of its fleet.
func answer(t *testing.T, s *Server) (code int, f Fleet) {
	t.Helper()
	w := look(s)
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return w.Code, f
}

// look asks a server for its fleet.
func look(s *Server) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/api/fleet", nil)
	r.Host = "127.0.0.1:1"
	s.ServeHTTP(w, r)
	return w
}

func newServer(t *testing.T, ask func(context.Context) (fleet.Status, error)) *Server {
	t.Helper()
	s, err := New(Config{Dirs: []string{t.TempDir()}, Fleet: ask, FleetURL: "nats://hub:4222"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestNoFleetNoPage(t *testing.T) {
	s := newServer(t, nil)
	if code, _ := answer(t, s); code != http.StatusNotFound {
		t.Errorf("status %d", code)
	}
	with := newServer(t, func(context.Context) (fleet.Status, error) { return fleet.Status{}, nil })
	for has, s := range map[bool]*Server{false: s, true: with} {
		rows, err := s.list(t.Context())
		if err != nil || rows.(Rows).Fleet != has {
			t.Errorf("the list says %+v, %v", rows, err)
		}
	}
}

// A hub that is away: the page says so and keeps what it knew; when it is back, all is as before.
func TestAHubGoesAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := true
		s := newServer(t, func(context.Context) (fleet.Status, error) {
			if away {
				return fleet.Status{}, hint.New("no fleet answers", "start one")
			}
			return working(noon, map[string]int64{"one": 5}), nil
		})
		defer s.Close()
		code, f := answer(t, s)
		if code != 200 || f.Problem != "no fleet answers" || f.Hint != "start one" || f.Workers == nil || f.Queues == nil || f.Dead == nil ||
			f.Runs == nil ||
			f.Rates == nil || f.URL != "nats://hub:4222" {
			t.Errorf("at first: %d %+v", code, f)
		}
		for _, gone := range []bool{false, true, false} {
			time.Sleep(2 * time.Second)
			away = gone
			code, f = answer(t, s)
			if code != 200 || len(f.Workers) != 1 || f.Workers[0].Done != 5 || (f.Problem != "") != gone || (f.Hint != "") != gone {
				t.Errorf("away %v: %d %+v", gone, code, f)
			}
		}
	})
}

// However many look, the hub is asked once a second; who comes while it does not answer sees what is known.
func TestAHubIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		slow := time.Duration(0)
		s := newServer(t, func(ctx context.Context) (fleet.Status, error) {
			asked.Add(1)
			select {
			case <-time.After(slow):
				return working(noon, map[string]int64{"one": asked.Load()}), nil
			case <-ctx.Done():
				return fleet.Status{}, ctx.Err()
			}
		})
		defer s.Close()
		for range 2 {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() { look(s) })
			}
			all.Wait()
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times in a second", n)
		}
		time.Sleep(2 * time.Second)
		slow = time.Hour
		go look(s) // waits for as long as a hub may take
		synctest.Wait()
		began := time.Now()
		if _, f := answer(t, s); time.Since(began) > 0 || f.Problem != "" || f.Workers[0].Done != 1 {
			t.Errorf("after %v: %+v", time.Since(began), f)
		}
		time.Sleep(fleetPatience)
		synctest.Wait()
		if _, f := answer(t, s); !strings.Contains(f.Problem, "deadline") || asked.Load() != 2 {
			t.Errorf("asked %d times: %+v", asked.Load(), f)
		}
	})
}

// Names, versions and reasons are what other machines say.
func TestAHostileFleet(t *testing.T) {
	long := strings.Repeat("<img src=x>", 10_000)
	s := fleet.Status{Version: long, At: noon}
	for i := range 3000 {
		s.Workers = append(s.Workers, fleet.WorkerStatus{Name: fmt.Sprint(i, long), Version: long, Kinds: []fleet.Kind{fleet.Kind(long), "a"},
			Done: 1 << 62, UpSeconds: 1e-300, Seen: noon, OldestSeconds: 1e308})
		s.Dead = append(s.Dead, fleet.DeadItem{Kind: fleet.Kind(long), Key: long, Worker: long, Reason: long})
		s.Runs = append(s.Runs, fleet.RunMoney{Run: long})
		s.Queues = append(s.Queues, fleet.QueueStatus{Kind: fleet.Kind(long)})
	}
	s.Workers[0].Kinds = make([]fleet.Kind, 5000)
	server := newServer(t, func(context.Context) (fleet.Status, error) { return s, nil })
	code, f := answer(t, server)
	text, err := json.Marshal(f)
	if code != 200 || err != nil || len(text) > 1<<20 {
		t.Errorf("status %d, %d bytes, %v", code, len(text), err)
	}
	if len(f.Workers) != 1000 || f.More != 2000 || len(f.Dead) != 100 || len(f.Runs) != 100 || len(f.Queues) != 20 ||
		len(f.Workers[0].Kinds) != 20 {
		t.Errorf("%d workers, %d more, %d dead, %d queues, %d kinds", len(f.Workers), f.More, len(f.Dead), len(f.Queues), len(f.Workers[0].Kinds))
	}
	server = newServer(t, func(context.Context) (fleet.Status, error) { return s, errors.New(long) })
	if _, f = answer(t, server); len(f.Problem) > mostReason+10 {
		t.Errorf("a problem of %d bytes", len(f.Problem))
	}
}

// Rates come of what workers say at two times of the hub's clock.
func TestPace(t *testing.T) {
	var p pace
	rate := func(name string) float64 {
		if r := p.of(name); r != nil {
			return *r
		}
		return -1
	}
	p.add(working(noon, map[string]int64{"a": 100}))
	if got := rate("a"); got != -1 {
		t.Errorf("one reading gives %v", got)
	}
	for i := 1; i <= 100; i++ { // one a second at first, then three
		at := noon.Add(time.Duration(2*i) * time.Second)
		done := int64(100 + 2*i + 4*max(0, i-50))
		s := working(at, map[string]int64{"a": done, "b": 7})
		p.add(s)
		p.add(s) // the same again
		if i == 20 && rate("a") != 1 || i == 100 && rate("a") != 3 || i > 1 && rate("b") != 0 {
			t.Errorf("after %d looks: %v and %v", i, rate("a"), rate("b"))
		}
	}
	past := p.rates()
	if n := len(past); n != 101 || past[n-1].PerSecond == nil || *past[n-1].PerSecond != 3 {
		t.Errorf("%d rates, the last %+v", n, past[n-1])
	}

	// A worker that is started again has done nothing of what it did before; a young one all.
	again := working(noon.Add(202*time.Second), map[string]int64{"a": 20})
	again.Workers[0].UpSeconds = 10
	p.add(again)
	if got := rate("a"); got != 2 {
		t.Errorf("started again: %v", got)
	}
	if got := rate("b"); got != -1 {
		t.Errorf("one that is gone: %v", got)
	}

	// Nobody looked for a while: what was then is not known, and what is long ago is forgotten.
	p.add(working(noon.Add(10*time.Minute), map[string]int64{"a": 500}))
	var known []bool
	for _, r := range p.rates() {
		known = append(known, r.PerSecond != nil)
	}
	if diff := cmp.Diff([]bool{false}, known); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.add(working(noon.Add(10*time.Minute+25*time.Second), map[string]int64{"a": 525}))
	if past := p.rates(); len(past) != 3 || past[1].PerSecond != nil || past[2].PerSecond == nil || *past[2].PerSecond != 1 {
		t.Errorf("a gap: %+v", past)
	}
	// Another hub's clock.
	p.add(working(noon, map[string]int64{"a": 500}))
	if past := p.rates(); len(past) != 1 || rate("a") != -1 {
		t.Errorf("an earlier clock: %+v, %v", past, rate("a"))
	}
	p.add(fleet.Status{At: noon.Add(time.Second)})
	if past := p.rates(); *past[len(past)-1].PerSecond != 0 {
		t.Errorf("without workers: %+v", past)
	}
}

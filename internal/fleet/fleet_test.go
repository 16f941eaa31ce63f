package fleet_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

const build = "a build"

// start starts a hub in its own directory.
func start(t testing.TB, ackWait time.Duration) *hub.Hub {
	t.Helper()
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: t.TempDir(), AckWait: ackWait, Build: build, Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

func dial(t testing.TB, h *hub.Hub, role hub.Role) *fleet.Conn {
	t.Helper()
	c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(role), Build: build, Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// boxFunc is a sandbox of a test.
type boxFunc func(context.Context, sandbox.Program) (sandbox.Judgement, error)

func (f boxFunc) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	return f(ctx, p)
}

// echo passes every program and says which one it was.
func echo(_ context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	return sandbox.Judgement{Verdict: sandbox.Passed, Stdout: p.Code}, nil
}

// work runs a worker until the test ends, or stop is called.
func work(t testing.TB, h *hub.Hub, name string, slots int, box boxFunc) (stop func()) {
	t.Helper()
	c := dial(t, h, hub.RoleWorker)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- c.Work(ctx, fleet.Work{Name: name, Slots: slots, Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(box)}})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func judge(t testing.TB, h *hub.Hub) *fleet.Judge {
	t.Helper()
	j, err := dial(t, h, hub.RoleCoordinator).Judge()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

// all judges n programs, many at once, and fails where one has another's judgement.
func all(t testing.TB, j *fleet.Judge, n int) {
	t.Helper()
	var wg sync.WaitGroup
	free := make(chan struct{}, 2048)
	for i := range n {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			code := fmt.Sprintf("program %d", i)
			got, err := j.Exec(t.Context(), sandbox.Program{Code: code})
			if err != nil || got.Stdout != code || got.Verdict != sandbox.Passed {
				t.Errorf("%s: %+v, %v", code, got, err)
			}
		})
	}
	wg.Wait()
}

func TestProgramsAreJudged(t *testing.T) {
	h := start(t, 0)
	var ran atomic.Int64
	count := func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		ran.Add(1)
		return echo(ctx, p)
	}
	work(t, h, "one", 2, count)
	work(t, h, "two", 2, count)
	j := judge(t, h)
	all(t, j, 1000)
	if ran.Load() != 1000 {
		t.Errorf("%d programs ran", ran.Load())
	}
	by := j.Pool().Workers()
	if by["one"] == 0 || by["two"] == 0 {
		t.Errorf("both workers take part: %v", by)
	}
}

func TestAnotherBuildIsRefusedByName(t *testing.T) {
	h := start(t, 0)
	_, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(hub.RoleWorker), Build: "another build", Version: "v2"})
	if err == nil || !strings.Contains(err.Error(), "v2") || !strings.Contains(err.Error(), "v1") {
		t.Errorf("%v", err)
	}
}

func BenchmarkItems(b *testing.B) {
	h := start(b, 0)
	work(b, h, "one", 4, echo)
	j := judge(b, h)
	time.Sleep(100 * time.Millisecond)
	b.ResetTimer()
	all(b, j, b.N)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "items/s")
}

func BenchmarkLatency(b *testing.B) {
	h := start(b, 0)
	work(b, h, "one", 1, echo)
	j := judge(b, h)
	for i := range b.N {
		if _, err := j.Exec(b.Context(), sandbox.Program{Code: fmt.Sprint(i)}); err != nil {
			b.Fatal(err)
		}
	}
}

package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// TestRandomSchedules plays faults in random order: workers that are cut off, workers that hang past AckWait and wake, a hub that
// is started again, a coordinator that is followed by another one. Every program has its own judgement, once.
// DEEPREPO_FLEET_SEEDS=200 plays as many schedules; the default is 12.
func TestRandomSchedules(t *testing.T) {
	seeds := 12
	if n, err := strconv.Atoi(os.Getenv("DEEPREPO_FLEET_SEEDS")); err == nil {
		seeds = n
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel() // each has a hub of its own, and mostly waits
			playSchedule(t, uint64(seed))
		})
	}
}

// schedule is one play.
type schedule struct {
	t       *testing.T
	r       *rand.Rand
	dir     string
	addr    string
	hub     *hub.Hub
	workers []*scheduled
	names   int
	running sync.WaitGroup

	mu  sync.Mutex
	got map[string]int // judgements by program
}

// scheduled is a worker that can be cut off.
type scheduled struct {
	conn *fleet.Conn
	stop context.CancelFunc
}

const ackWait = 300 * time.Millisecond

func playSchedule(t *testing.T, seed uint64) {
	s := &schedule{t: t, r: rand.New(rand.NewPCG(seed, 7)), dir: t.TempDir(), addr: "127.0.0.1:0", got: map[string]int{}}
	s.open()
	defer func() { s.hub.Close() }()
	for range 1 + s.r.IntN(3) {
		s.join()
	}
	const programs = 150
	left := make([]string, programs)
	for i := range left {
		left[i] = fmt.Sprintf("program %d of %d", i, seed)
	}
	for round := 0; len(left) > 0; round++ {
		if round > 20 {
			t.Fatalf("%d programs are without a judgement after %d coordinators", len(left), round)
		}
		left = s.coordinate(left, round < 2 && s.r.IntN(2) == 0)
	}
	for _, w := range s.workers {
		w.stop()
	}
	s.running.Wait()
	for i := range programs {
		if n := s.got[fmt.Sprintf("program %d of %d", i, seed)]; n != 1 {
			t.Errorf("program %d was counted %d times", i, n)
		}
	}
}

func (s *schedule) open() {
	s.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		h, err := hub.Start(s.t.Context(), hub.Config{Addr: s.addr, Store: s.dir, AckWait: ackWait, Build: build, Version: "v1"})
		if err == nil {
			s.hub, s.addr = h, h.URL()[len("nats://"):]
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal(err)
		}
	}
}

// join adds a worker. Now and then one of its programs hangs for longer than the hub waits for a sign; signs go on, since the
// process lives, so this is a slow program and no zombie.
func (s *schedule) join() {
	s.names++
	conn, err := fleet.Dial(s.t.Context(), fleet.Options{URL: "nats://" + s.addr, KeyFile: s.hub.KeyFile(hub.RoleWorker), Build: build})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	slow := s.r.IntN(100)
	n := 0
	var mu sync.Mutex
	box := boxFunc(func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		mu.Lock()
		n++
		hangs, fails := n == slow, n == slow+1
		mu.Unlock()
		if hangs {
			time.Sleep(2 * ackWait)
		}
		if fails {
			return sandbox.Judgement{}, errors.New("the machine has hiccups")
		}
		time.Sleep(time.Millisecond)
		return echo(ctx, p)
	})
	work := fleet.Work{Name: fmt.Sprint("worker-", s.names), Slots: 1 + s.r.IntN(2),
		Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(box)}}
	s.running.Go(func() {
		defer conn.Close()
		_ = conn.Work(ctx, work) // one that was cut off says so
	})
	s.workers = append(s.workers, &scheduled{conn, stop})
}

// coordinate has programs judged by a coordinator while things break, and returns what is left: nothing, unless it is lost.
func (s *schedule) coordinate(programs []string, lost bool) (left []string) {
	conn, err := fleet.Dial(s.t.Context(), fleet.Options{URL: "nats://" + s.addr, KeyFile: s.hub.KeyFile(hub.RoleCoordinator), Build: build})
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	j, err := conn.Judge()
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, end := context.WithCancel(s.t.Context())
	defer end()
	var wg sync.WaitGroup
	for _, p := range programs {
		wg.Go(func() {
			got, err := j.Exec(ctx, sandbox.Program{Code: p})
			s.mu.Lock()
			defer s.mu.Unlock()
			switch {
			case err == nil && got.Stdout == p && got.Verdict == sandbox.Passed:
				s.got[p]++
			case err != nil:
				left = append(left, p) // a fault, or this coordinator is lost
			default:
				s.t.Errorf("%s: %+v", p, got)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for range s.r.IntN(4) {
		select {
		case <-done:
		case <-time.After(time.Duration(s.r.IntN(150)) * time.Millisecond):
			s.fault()
		}
	}
	if lost {
		end()
	}
	<-done
	_ = j.Close()
	return left
}

// fault breaks something.
func (s *schedule) fault() {
	switch s.r.IntN(3) {
	case 0: // the hub is away for a while
		s.hub.Close()
		time.Sleep(time.Duration(s.r.IntN(100)) * time.Millisecond)
		s.open()
	case 1: // a worker is cut off, and another one comes
		w := s.workers[s.r.IntN(len(s.workers))]
		w.conn.Close()
		w.stop()
		s.join()
	case 2:
		s.join()
	}
}

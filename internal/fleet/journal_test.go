package fleet_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/money"
)

// offer has a worker do rollouts with a handler until the test ends.
func offer(t testing.TB, h *hub.Hub, name string, handle fleet.Handler) {
	t.Helper()
	offerBy(t, dial(t, h, hub.RoleWorker), name, handle)
}

func resumable(t testing.TB, h *hub.Hub, run string) *fleet.Pool {
	t.Helper()
	p, err := dial(t, h, hub.RoleCoordinator).Resumable(fleet.KindRollout, run)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t testing.TB, j *fleet.Journal, line string) error {
	t.Helper()
	if _, err := j.Write([]byte(line)); err != nil {
		return err
	}
	return j.Flush()
}

// TestAJournalHasOneHolder: a worker falls silent behind its first line, another one goes on from there, and what the first
// one says when it wakes does not count, also when all is done and the journal is gone.
func TestAJournalHasOneHolder(t *testing.T) {
	for name, forgotten := range map[string]bool{"it wakes before the end": false, "it wakes when the journal is gone": true} {
		t.Run(name, func(t *testing.T) {
			h := start(t, time.Second)
			wake, woke := make(chan struct{}), make(chan error, 1)
			var once sync.Once
			handle := func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
				zombie := false
				once.Do(func() { zombie = true })
				j, err := i.Journal(ctx, "journal")
				if err != nil {
					return fleet.Output{}, err
				}
				if !zombie {
					past := string(j.Past())
					err := write(t, j, "second\n")
					return fleet.Output{Body: []byte(past), Settled: true}, err
				}
				if err := write(t, j, "first\n"); err != nil {
					return fleet.Output{}, err
				}
				fleet.Silence(i)
				<-wake
				err = write(t, j, "from the grave\n")
				woke <- err
				return fleet.Output{Body: []byte("zombie"), Settled: true}, err
			}
			offer(t, h, "one", handle)
			offer(t, h, "two", handle)
			p := resumable(t, h, "run-1")
			defer p.Close()
			body, journal, err := p.Journaled(t.Context(), []byte("item"), "journal")
			if err != nil || string(body) != "first\n" || string(journal) != "first\nsecond\n" {
				t.Errorf("%q, journal %q, %v", body, journal, err)
			}
			if forgotten {
				if err := p.Forget(t.Context(), "journal"); err != nil {
					t.Error(err)
				}
			}
			close(wake)
			if err := <-woke; !errors.Is(err, fleet.ErrFenced) {
				t.Errorf("the first holder wrote: %v", err)
			}
		})
	}
}

// TestWhoComesLateTakesNothing: a worker falls silent before it has opened its item's journal, and wakes when another one has
// done the item and the coordinator has forgotten it. It neither begins the item anew nor leases money for it.
func TestWhoComesLateTakesNothing(t *testing.T) {
	for name, opens := range map[string]bool{"before the journal": false, "before the lease": true} {
		t.Run(name, func(t *testing.T) {
			h := start(t, time.Second)
			wake, woke := make(chan struct{}), make(chan error, 1)
			var once sync.Once
			handle := func(ctx context.Context, i *fleet.Item) (out fleet.Output, err error) {
				late := false
				once.Do(func() { late = true })
				if late {
					if opens {
						_, err = i.Journal(ctx, "journal")
					}
					fleet.Silence(i)
					<-wake
					if !opens {
						_, err = i.Journal(ctx, "journal")
					}
					if err == nil {
						_, err = i.Pool(ctx)
					}
					woke <- err
					return out, err
				}
				j, err := i.Journal(ctx, "journal")
				if err != nil {
					return out, err
				}
				return fleet.Output{Settled: true}, write(t, j, "all\n")
			}
			offer(t, h, "one", handle)
			offer(t, h, "two", handle)
			c := dial(t, h, hub.RoleCoordinator)
			if _, err := c.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 0, nil); err != nil {
				t.Fatal(err)
			}
			p := resumable(t, h, "run-1")
			defer p.Close()
			if _, journal, err := p.Journaled(t.Context(), []byte("item"), "journal"); err != nil || string(journal) != "all\n" {
				t.Errorf("journal %q, %v", journal, err)
			}
			if err := p.Forget(t.Context(), "journal"); err != nil {
				t.Error(err)
			}
			close(wake)
			if err := <-woke; !errors.Is(err, fleet.ErrFenced) {
				t.Errorf("it came late: %v", err)
			}
			s, err := c.Status(t.Context())
			if err != nil || len(s.Runs) != 1 || s.Runs[0].Items != 0 {
				t.Errorf("money: %+v, %v", s.Runs, err)
			}
		})
	}
}

// TestAForgottenJournalBeginsAnew: a coordinator asks again for what it had forgotten.
func TestAForgottenJournalBeginsAnew(t *testing.T) {
	h := start(t, time.Minute)
	offer(t, h, "one", func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		return fleet.Output{}, write(t, j, string(i.Payload))
	})
	p := resumable(t, h, "run-1")
	defer p.Close()
	for _, item := range []string{"first", "second"} {
		if _, journal, err := p.Journaled(t.Context(), []byte(item), "journal"); err != nil || string(journal) != item {
			t.Errorf("%s: %q, %v", item, journal, err)
		}
		if err := p.Forget(t.Context(), "journal"); err != nil {
			t.Error(err)
		}
	}
}

// TestAJournalOfAnySize: a line is larger than a message.
func TestAJournalOfAnySize(t *testing.T) {
	h := start(t, time.Minute)
	line := `{"seq":1,"at":"2026-11-23T00:00:00Z","kind":"start","key":"` + strings.Repeat("x", 3<<20) + `","start":{}}` + "\n"
	offer(t, h, "one", func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		if _, err := j.Write([]byte(line + "torn")); err != nil {
			return fleet.Output{}, err
		}
		if err := j.Flush(); err != nil {
			return fleet.Output{}, err
		}
		if events, err := j.Trace([]byte("something else")); err != nil || len(events) != 1 {
			t.Errorf("%d events, %v", len(events), err)
		}
		return fleet.Output{Settled: true}, write(t, j, "end\n")
	})
	p := resumable(t, h, "run-1")
	defer p.Close()
	if _, journal, err := p.Journaled(t.Context(), []byte("item"), "journal"); err != nil || string(journal) != line+"end\n" {
		t.Errorf("%d bytes, %v", len(journal), err)
	}
}

// TestACoordinatorComesBack: one execution of a run dies with an item under way, the next one gets that item's result and
// sends it to nobody again.
func TestACoordinatorComesBack(t *testing.T) {
	h := start(t, time.Minute)
	begun, goOn := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var done []string
	handle := func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		mu.Lock()
		done = append(done, string(i.Payload))
		again := len(done) > 1
		mu.Unlock()
		if again {
			return fleet.Output{}, errors.New("done before")
		}
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		close(begun)
		<-goOn
		return fleet.Output{Body: i.Payload, Settled: true}, write(t, j, "line\n")
	}
	offer(t, h, "one", handle)
	offer(t, h, "two", handle)
	first := resumable(t, h, "run-1")
	gone, die := context.WithCancel(t.Context())
	go func() { _, _, _ = first.Journaled(gone, []byte("under way"), "journal") }()
	<-begun
	die()
	second := resumable(t, h, "run-1")
	defer second.Close()
	got := make(chan error, 1)
	go func() {
		body, journal, err := second.Journaled(t.Context(), []byte("under way"), "journal")
		if err == nil && (string(body) != "under way" || string(journal) != "line\n") {
			err = errors.New(string(body) + string(journal))
		}
		got <- err
	}()
	time.Sleep(200 * time.Millisecond) // mostly it waits by now; where it does not, it finds the result
	close(goOn)
	if err := <-got; err != nil {
		t.Error(err)
	}
	third := resumable(t, h, "run-1")
	defer third.Close()
	if body, _, err := third.Journaled(t.Context(), []byte("under way"), "journal"); err != nil || string(body) != "under way" {
		t.Errorf("%q, %v", body, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(done, []string{"under way"}) {
		t.Errorf("done: %q", done)
	}
	if n := second.Forged() + third.Forged(); n > 0 {
		t.Errorf("%d results of an earlier execution were not believed", n)
	}
}

// TestAStoppedRunStops: a coordinator that is interrupted has its items end, and they are nobody's fault.
func TestAStoppedRunStops(t *testing.T) {
	h := start(t, time.Minute)
	begun, ended := make(chan struct{}), make(chan error, 1)
	offer(t, h, "one", func(ctx context.Context, _ *fleet.Item) (fleet.Output, error) {
		close(begun)
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return fleet.Output{}, ctx.Err()
	})
	p := resumable(t, h, "run-1")
	gone, die := context.WithCancel(t.Context())
	go func() { _, _, _ = p.Journaled(gone, []byte("item"), "journal") }()
	<-begun
	die()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the item still runs")
	}
	c := dial(t, h, hub.RoleCoordinator)
	for range 50 {
		s, err := c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		q := s.Queues[slices.IndexFunc(s.Queues, func(q fleet.QueueStatus) bool { return q.Kind == fleet.KindRollout })]
		if q.Waiting == 0 && q.Running == 0 && s.Workers[0].Running == 0 {
			if s.Workers[0].Faults > 0 || q.Dead > 0 {
				t.Errorf("%+v, %+v", s.Workers[0], q)
			}
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the item is still in the queue")
}

package fleet_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// offerBy has a worker of a connection do rollouts until the test ends, or stop is called: then it takes no more.
func offerBy(t testing.TB, c *fleet.Conn, name string, handle fleet.Handler) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := c.Work(ctx, fleet.Work{Name: name, Slots: 1, Handlers: map[fleet.Kind]fleet.Handler{fleet.KindRollout: handle}}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return cancel
}

// TestAStoppedJournalIsShut: a run is stopped, and goes on elsewhere with what its journal held. Who did not hear that it was
// stopped writes nothing more, and who comes to the item only now does not begin.
func TestAStoppedJournalIsShut(t *testing.T) {
	for name, writes := range map[string]bool{"it writes": true, "it opens the journal": false} {
		t.Run(name, func(t *testing.T) {
			h := start(t, time.Second)
			begun, wake, woke := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			n := 0
			handle := func(_ context.Context, i *fleet.Item) (out fleet.Output, err error) {
				ctx := context.Background() // it does not hear that it is stopped
				n++
				first := n == 1
				var j *fleet.Journal
				if first && writes || !first {
					if j, err = i.Journal(ctx, "journal"); err != nil {
						return out, err
					}
				}
				if !first {
					err := write(t, j, "second\n")
					return fleet.Output{Settled: true}, err
				}
				if writes {
					if err := write(t, j, "first\n"); err != nil {
						return out, err
					}
				}
				close(begun)
				<-wake
				if writes {
					err = write(t, j, "unheard\n")
				} else {
					_, err = i.Journal(ctx, "journal")
				}
				woke <- err
				return out, err
			}
			offer(t, h, "one", handle)
			p := resumable(t, h, "run-1")
			ctx, interrupt := context.WithCancel(t.Context())
			go func() { <-begun; interrupt() }()
			if _, _, err := p.Journaled(ctx, []byte("item"), "journal"); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			sofar, err := p.SoFar(ctx, "journal")
			if want := map[bool]string{true: "first\n"}[writes]; err != nil || string(sofar) != want {
				t.Errorf("so far %q, %v", sofar, err)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			close(wake)
			if err := <-woke; !errors.Is(err, fleet.ErrFenced) {
				t.Errorf("who did not hear of the stop: %v", err)
			}
			p = resumable(t, h, "run-1")
			defer p.Close()
			_, journal, err := p.Journaled(t.Context(), []byte("it goes on"), "journal")
			if err != nil || string(journal) != string(sofar)+"second\n" {
				t.Errorf("gone on with: %q, %v", journal, err)
			}
		})
	}
}

// TestTheLastHoldersResultCounts: a worker freezes behind its journal's end, before its result is stored, and wakes when another
// one has the item. Its result counts if the other one wrote nothing, and then that one writes nothing any more; otherwise the
// other one's does.
func TestTheLastHoldersResultCounts(t *testing.T) {
	for name, writes := range map[string]bool{"the other one wrote": true, "the other one wrote nothing": false} {
		t.Run(name, func(t *testing.T) {
			h := start(t, time.Second)
			frozen, wake := make(chan struct{}), make(chan struct{})
			stop := offerBy(t, fleet.FrozenAtStore(dial(t, h, hub.RoleWorker), frozen, wake), "one",
				func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
					j, err := i.Journal(ctx, "journal")
					if err != nil {
						return fleet.Output{}, err
					}
					fleet.Silence(i)
					return fleet.Output{Body: []byte("one"), Settled: true}, write(t, j, "first\n")
				})
			p := resumable(t, h, "run-1")
			defer p.Close()
			type outcome struct {
				body, journal string
				err           error
			}
			got := make(chan outcome, 1)
			go func() {
				body, journal, err := p.Journaled(t.Context(), []byte("item"), "journal")
				got <- outcome{string(body), string(journal), err}
			}()
			<-frozen
			took, goOn, late := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			offer(t, h, "two", func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
				j, err := i.Journal(ctx, "journal")
				if err == nil && writes {
					err = write(t, j, "second\n")
				}
				if err != nil {
					return fleet.Output{}, err
				}
				close(took)
				<-goOn
				if !writes {
					err = write(t, j, "second\n")
				}
				late <- err
				return fleet.Output{Body: []byte("two"), Settled: true}, err
			})
			<-took
			stop()
			close(wake)
			want := outcome{"two", "first\nsecond\n", nil}
			if writes {
				time.Sleep(500 * time.Millisecond) // the first one says its result
				close(goOn)
			} else {
				want = outcome{"one", "first\n", nil}
			}
			if o := <-got; o != want {
				t.Errorf("%+v, want %+v", o, want)
			}
			if err := p.Forget(t.Context(), "journal"); err != nil {
				t.Error(err)
			}
			if !writes {
				close(goOn)
			}
			if err := <-late; errors.Is(err, fleet.ErrFenced) == writes {
				t.Errorf("the other one: %v", err)
			}
		})
	}
}

// TestWhatWasForgottenIsDoneAnew: a coordinator asks for the same item again when it has forgotten the journal: the former
// result is none.
func TestWhatWasForgottenIsDoneAnew(t *testing.T) {
	h := start(t, time.Minute)
	n := 0
	offer(t, h, "one", func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		n++
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		return fleet.Output{Settled: true}, write(t, j, string(rune('0'+n)))
	})
	p := resumable(t, h, "run-1")
	defer p.Close()
	for _, want := range []string{"1", "2"} {
		if _, journal, err := p.Journaled(t.Context(), []byte("item"), "journal"); err != nil || string(journal) != want {
			t.Errorf("%q, want %q, %v", journal, want, err)
		}
		if err := p.Forget(t.Context(), "journal"); err != nil {
			t.Error(err)
		}
	}
}

// TestALeaseIsNotStolen: a worker falls silent between its journal and its lease, and wakes when another one spends out of that
// lease. The other one gets more all the same.
func TestALeaseIsNotStolen(t *testing.T) {
	h := start(t, time.Second)
	wake, woke := make(chan struct{}), make(chan error, 1)
	var once sync.Once
	lend := func(pool *llm.Budget) error {
		r, err := pool.ReserveWait(t.Context(), 40)
		if err == nil {
			r.Settle(40)
		}
		return err
	}
	handle := func(ctx context.Context, i *fleet.Item) (out fleet.Output, err error) {
		late := false
		once.Do(func() { late = true })
		if _, err = i.Journal(ctx, "journal"); err != nil {
			return out, err
		}
		if late {
			fleet.Silence(i)
			<-wake
			_, err = i.Pool(ctx)
			woke <- err
			return out, err
		}
		pool, err := i.Pool(ctx)
		if err == nil {
			err = lend(pool)
		}
		if err != nil {
			return out, err
		}
		close(wake)
		if err := <-woke; !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("it came late: %v", err)
		}
		if err := lend(pool); err != nil {
			t.Errorf("who has the item: %v", err)
		}
		return fleet.Output{Settled: true}, nil
	}
	offer(t, h, "one", handle)
	offer(t, h, "two", handle)
	c := dial(t, h, hub.RoleCoordinator)
	if _, err := c.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 0, nil); err != nil {
		t.Fatal(err)
	}
	p := resumable(t, h, "run-1")
	defer p.Close()
	if _, _, err := p.Journaled(t.Context(), []byte("item"), "journal"); err != nil {
		t.Error(err)
	}
}

// TestAnItemIsSuperseded: a coordinator dies with its item under way, and the next execution of the run asks for the same in other
// words. The former item goes to nobody again, and takes nothing from the new one.
func TestAnItemIsSuperseded(t *testing.T) {
	h := start(t, time.Second)
	var mu sync.Mutex
	var begun []string
	under, goOn := make(chan struct{}), make(chan struct{})
	handle := func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		mu.Lock()
		begun = append(begun, string(i.Payload))
		n := len(begun)
		mu.Unlock()
		if n == 1 {
			close(under)
			<-goOn
		}
		if n == 2 {
			close(goOn)
			time.Sleep(3 * time.Second) // longer than a silent worker is waited for
		}
		return fleet.Output{Settled: true}, write(t, j, string(i.Payload)+"\n")
	}
	offer(t, h, "one", handle)
	offer(t, h, "two", handle)
	offer(t, h, "three", handle)
	first := resumable(t, h, "run-1")
	gone, die := context.WithCancel(t.Context())
	defer die()
	go func() { _, _, _ = first.Journaled(gone, []byte("item"), "journal") }()
	<-under
	die()
	second := resumable(t, h, "run-1")
	defer second.Close()
	const other = "with a larger budget"
	if err := second.Supersede(t.Context(), []byte(other), "journal"); err != nil {
		t.Fatal(err)
	}
	_, journal, err := second.Journaled(t.Context(), []byte(other), "journal")
	if err != nil || string(journal) != other+"\n" {
		t.Errorf("%q, %v", journal, err)
	}
	if !slices.Equal(begun, []string{"item", other}) {
		t.Errorf("begun: %q", begun)
	}
	third := resumable(t, h, "run-1")
	defer third.Close()
	if err := third.Supersede(t.Context(), []byte(other), "journal"); err != nil {
		t.Fatal(err)
	}
	_, again, err := third.Journaled(t.Context(), []byte(other), "journal")
	if err != nil || string(again) != string(journal) || len(begun) > 2 {
		t.Errorf("what is done is done again: %q, %v, %q", again, err, begun)
	}
}

// TestAnEmptyJournalIsTakenOnce: of two workers that find a journal empty, the one that is late does not have it.
func TestAnEmptyJournalIsTakenOnce(t *testing.T) {
	h := start(t, time.Minute)
	offer(t, h, "one", func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		j, err := i.Journal(ctx, "journal")
		if err != nil {
			return fleet.Output{}, err
		}
		if err := fleet.OpenLate(ctx, i.Conn(), "journal"); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("who comes late: %v", err)
		}
		return fleet.Output{Settled: true}, write(t, j, "all\n")
	})
	p := resumable(t, h, "run-1")
	defer p.Close()
	if _, journal, err := p.Journaled(t.Context(), []byte("item"), "journal"); err != nil || string(journal) != "all\n" {
		t.Errorf("%q, %v", journal, err)
	}
}

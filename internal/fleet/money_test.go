package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// TestLeasesKeepTheCap has many items spend out of one account, some of which die: what calls can have cost never exceeds
// the cap, and all that can be spent is spent.
func TestLeasesKeepTheCap(t *testing.T) {
	h := start(t, time.Minute)
	work(t, h, "one", 1, echo) // who holds leases
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	const limit = money.USD(20_000)
	purse, err := coordinator.OpenPurse(t.Context(), "run-1", new(limit), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var spent, refused, dead atomic.Int64
	var wg sync.WaitGroup
	for n := range 24 {
		wg.Go(func() {
			key := fmt.Sprintf("item-%d", n)
			held, from, err := fleet.PurseOf(t.Context(), workers, "run-1", key, "one")
			if err != nil || held != 0 {
				t.Errorf("%s: held %v, %v", key, held, err)
				return
			}
			b := llm.Borrowing(held, from)
			var calls sync.WaitGroup
			for k := range 4 {
				luck := rand.New(rand.NewPCG(uint64(k), uint64(n)))
				calls.Go(func() {
					for range 10 {
						worst := money.USD(20 + luck.IntN(80))
						r, err := b.ReserveWait(t.Context(), worst)
						if errors.Is(err, llm.ErrBudget) {
							refused.Add(1)
							return
						}
						if err != nil {
							t.Error(err)
							return
						}
						cost := worst * 2 / 3
						spent.Add(int64(cost))
						r.Settle(cost)
					}
				})
			}
			calls.Wait()
			cost := b.Spent()
			if n%8 == 0 { // its worker dies: who takes the item over has the lease, and all of it may be gone
				dead.Add(1)
				if held, _, err = fleet.PurseOf(t.Context(), workers, "run-1", key, "one"); err != nil || held < cost {
					t.Errorf("%v were spent of a lease of %v, %v", cost, held, err)
				}
				cost = held
			}
			if err := purse.Settle(t.Context(), key, cost); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := money.USD(spent.Load()); n > limit || n < limit*8/10 {
		t.Errorf("%v of %v were spent, %d calls refused, %d items died", n, limit, refused.Load(), dead.Load())
	}
	if refused.Load() == 0 {
		t.Error("there was money enough: the test shows nothing")
	}
}

// TestALeaseOutlivesItsWorker: who takes an item over has what was leased for it, and a coordinator that comes back keeps
// that for who is not done, and what they are known to have spent.
func TestALeaseOutlivesItsWorker(t *testing.T) {
	t.Parallel()
	h := start(t, 100*time.Millisecond)
	stop := work(t, h, "one", 1, echo) // who holds leases
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	for { // until it is on the roll
		s, err := coordinator.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Workers) > 0 {
			break
		}
	}
	purse, err := coordinator.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	lend := func(key string, short money.USD) (money.USD, error) {
		_, from, err := fleet.PurseOf(t.Context(), workers, "run-1", key, "one")
		if err != nil {
			t.Fatal(err)
		}
		return from.Lend(t.Context(), short, true)
	}
	held := func(key string) money.USD {
		held, _, err := fleet.PurseOf(t.Context(), workers, "run-1", key, "one")
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	for _, key := range []string{"done", "open"} {
		if more, err := lend(key, 40); err != nil || more != 40 {
			t.Fatalf("%s: %v, %v", key, more, err)
		}
	}
	if held("open") != 40 {
		t.Errorf("taken over with %v", held("open"))
	}
	if more, err := lend("third", 20); more != 0 || err != nil {
		t.Errorf("10 are left, others may give back: %v, %v", more, err)
	}
	stop()
	_, third, err := fleet.PurseOf(t.Context(), workers, "run-1", "third", "one")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := llm.Borrowing(0, third).ReserveWait(t.Context(), 20); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("10 are left, and the others' worker is gone: %v, %v", r, err)
	}
	left := map[string]money.USD{"open": 7, "interrupted": 20}
	if _, err := coordinator.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 30, left); err != nil {
		t.Fatal(err)
	}
	if held("open") != 40 || held("done") != 0 || held("third") != 0 || held("interrupted") != 20 {
		t.Errorf("after the coordinator came back: %v, %v, %v, %v", held("open"), held("done"), held("third"),
			held("interrupted"))
	}
	_, before, err := fleet.PurseOf(t.Context(), workers, "run-1", "open", "one")
	if err != nil {
		t.Fatal(err)
	}
	_, now, err := fleet.PurseOf(t.Context(), workers, "run-1", "open", "one")
	if err != nil {
		t.Fatal(err)
	}
	if more, err := before.Lend(t.Context(), 1, true); more != 0 || !errors.Is(err, fleet.ErrFenced) {
		t.Errorf("a lease that somebody else took: %v, %v", more, err)
	}
	for range 2 { // the second time changes nothing
		if err := purse.Settle(t.Context(), "open", 5); err != nil {
			t.Fatal(err)
		}
	}
	if more, err := now.Lend(t.Context(), 1, true); more != 0 || !errors.Is(err, fleet.ErrFenced) {
		t.Errorf("the lease of an item that is settled: %v, %v", more, err)
	}
	_, last, err := fleet.PurseOf(t.Context(), workers, "run-1", "last", "one")
	if err != nil {
		t.Fatal(err)
	}
	if more, err := last.Lend(t.Context(), 45, true); err != nil || more != 45 {
		t.Errorf("all that is left: %v, %v", more, err)
	}
	if r, err := llm.Borrowing(0, last).ReserveWait(t.Context(), 1); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("nothing is left, and nobody gives back: %v, %v", r, err)
	}
	if _, _, err := fleet.PurseOf(t.Context(), workers, "unknown", "item", "one"); err == nil {
		t.Error("money of a run that has none")
	}
}

// TestMoneyWaitsForTheHub: whoever wants money, or settles, while the hub is away goes on when it is back.
func TestMoneyWaitsForTheHub(t *testing.T) {
	dir := t.TempDir()
	begin := func(addr string) *hub.Hub {
		for {
			h, err := hub.Start(t.Context(), hub.Config{Addr: addr, Store: dir, Build: build, Version: "v1"})
			if err == nil {
				return h
			}
			if t.Context().Err() != nil {
				t.Fatal(err)
			}
		}
	}
	h := begin("127.0.0.1:0")
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	purse, err := coordinator.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, first, err := fleet.PurseOf(t.Context(), workers, "run-1", "first", "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Lend(t.Context(), 40, true); err != nil {
		t.Fatal(err)
	}
	h.Close()
	got := make(chan error, 2)
	go func() {
		more, err := first.Lend(t.Context(), 40, true)
		if err == nil && more != 40 {
			err = fmt.Errorf("%v", more)
		}
		got <- err
	}()
	go func() { got <- purse.Settle(t.Context(), "second", 40) }()
	select {
	case err := <-got:
		t.Errorf("while the hub is away: %v", err)
		got <- nil
	case <-time.After(time.Second):
	}
	h = begin(h.URL()[len("nats://"):])
	defer h.Close()
	for range 2 {
		if err := <-got; err != nil {
			t.Error(err)
		}
	}
}

// TestWhoIsOffTheRollMayStillGiveBack: a hub that was away has forgotten who works, until they say so. Who waits for what they
// hold goes on waiting.
func TestWhoIsOffTheRollMayStillGiveBack(t *testing.T) {
	h := start(t, time.Second)
	work(t, h, "one", 1, echo)
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	_, js, _ := raw(t, h, hub.RoleAdmin)
	roll, err := js.KeyValue(t.Context(), "deeprepo_workers")
	if err != nil {
		t.Fatal(err)
	}
	for { // until it is on the roll
		if _, err := roll.Get(t.Context(), "one"); err == nil {
			break
		}
	}
	purse, err := coordinator.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, first, err := fleet.PurseOf(t.Context(), workers, "run-1", "first", "one")
	if err != nil {
		t.Fatal(err)
	}
	if more, err := first.Lend(t.Context(), 80, true); more != 80 || err != nil {
		t.Fatalf("%v, %v", more, err)
	}
	_, second, err := fleet.PurseOf(t.Context(), workers, "run-1", "second", "one")
	if err != nil {
		t.Fatal(err)
	}
	if err := roll.Purge(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := llm.Borrowing(0, second).ReserveWait(t.Context(), 50)
		got <- err
	}()
	for { // until it says so again
		if _, err := roll.Get(t.Context(), "one"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := purse.Settle(t.Context(), "first", 10); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// TestMoneyMayComeLate: one hub of a cluster may be behind, so that an account is there only a moment later.
func TestMoneyMayComeLate(t *testing.T) {
	h := start(t, time.Minute)
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	late := time.AfterFunc(time.Second, func() {
		if _, err := coordinator.OpenPurse(t.Context(), "run-1", new(money.USD(100)), 0, nil); err != nil {
			t.Error(err)
		}
	})
	defer late.Stop()
	if _, from, err := fleet.PurseOf(t.Context(), workers, "run-1", "item", "one"); err != nil {
		t.Error(err)
	} else if more, err := from.Lend(t.Context(), 10, true); err != nil || more < 10 {
		t.Errorf("%v, %v", more, err)
	}
}

// TestACapThatComesLater: items of an execution without a cap, or with a larger one, still run when the run is taken up with a cap.
// They are taken back, also from a worker that does not hear of it, and go on with leases.
func TestACapThatComesLater(t *testing.T) {
	for name, before := range map[string]*money.USD{"none before": nil, "a larger one before": new(money.USD(1000))} {
		t.Run(name, func(t *testing.T) {
			h := start(t, time.Minute)
			first := true
			began, capped, woke := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			offer(t, h, "one", func(ctx context.Context, i *fleet.Item) (out fleet.Output, err error) {
				j, err := i.Journal(ctx, "journal")
				if err != nil {
					return out, err
				}
				b, err := i.Pool(ctx)
				if err != nil {
					return out, err
				}
				if first {
					first = false
					if b != nil {
						if _, err := b.ReserveWait(ctx, 70); err != nil {
							t.Error(err)
						}
					}
					err := write(t, j, "paid 7\n")
					close(began)
					<-capped // deaf to its end
					woke <- write(t, j, "paid more\n")
					return out, err
				}
				if b == nil {
					t.Error("there is no cap")
				} else if left, _ := b.Remaining(); left != 7 {
					t.Errorf("%v is leased", left)
				} else if _, err := b.ReserveWait(ctx, 50); !errors.Is(err, llm.ErrBudget) {
					t.Errorf("more than the cap: %v", err)
				}
				return fleet.Output{Settled: true}, write(t, j, "the end\n")
			})
			c := dial(t, h, hub.RoleCoordinator)
			if _, err := c.OpenPurse(t.Context(), "run-1", before, 0, nil); err != nil {
				t.Fatal(err)
			}
			dead := resumable(t, h, "run-1")
			go func() { _, _, _ = dead.Journaled(t.Context(), []byte("item"), "journal") }()
			<-began

			limit, open := new(money.USD(40)), map[string]money.USD{"journal": 0}
			if loose, err := c.Loose(t.Context(), "run-1", limit, 0, open); err != nil || !loose {
				t.Fatalf("%v, %v", loose, err)
			}
			p := resumable(t, h, "run-1")
			defer p.Close()
			err := p.Reclaim(t.Context(), []string{"journal"}, func(name string, journal []byte) {
				if string(journal) == "paid 7\n" {
					open[name] = 7
				}
			})
			if err != nil || open["journal"] != 7 {
				t.Fatalf("%v, %v", open, err)
			}
			if _, err := c.OpenPurse(t.Context(), "run-1", limit, 0, open); err != nil {
				t.Fatal(err)
			}
			if loose, err := c.Loose(t.Context(), "run-1", limit, 0, open); err != nil || loose {
				t.Errorf("%v, %v", loose, err)
			}
			close(capped)
			if err := <-woke; !errors.Is(err, fleet.ErrFenced) {
				t.Errorf("who was taken back wrote: %v", err)
			}
			_, journal, err := p.Journaled(t.Context(), []byte("item"), "journal")
			if err != nil || string(journal) != "paid 7\nthe end\n" {
				t.Errorf("%q, %v", journal, err)
			}
		})
	}
}

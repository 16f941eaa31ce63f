package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/nats-io/nats.go/jetstream"
)

// account is the money of a coordinator's run, in a bucket of the hub's. Whoever changes it compares and sets, so that at
// every moment what is gone and what is lent are at most the cap, whoever dies: an item's lease stays until the coordinator
// has read its journal.
type account struct {
	Free   bool             `json:"free,omitempty"` // there is no cap, and nobody leases
	Cap    money.USD        `json:"cap"`
	Gone   money.USD        `json:"gone"`   // by items that are settled
	Leases map[string]lease `json:"leases"` // by the names of journals
}

// lease is what an item may spend, what it has spent included.
type lease struct {
	Amount  money.USD `json:"amount"`
	Worker  string    `json:"worker"`            // who has it
	Turn    uint64    `json:"turn"`              // whose turn the item's journal is
	Waiting bool      `json:"waiting,omitempty"` // it cannot go on before it gets more
}

func (a account) free() money.USD {
	used := a.Gone
	for _, l := range a.Leases {
		used = money.AddUSD(used, l.Amount)
	}
	return a.Cap - used
}

// loose says whether the open items may spend more than a cap allows: there was none, or a larger one.
func (a account) loose(limit *money.USD, gone money.USD, open map[string]money.USD) bool {
	if limit == nil || a.Free {
		return limit != nil
	}
	for key := range open {
		gone = money.AddUSD(gone, a.Leases[key].Amount)
	}
	return gone > *limit
}

// Loose says whether what an earlier execution of a run let its open items spend does not keep to the cap of this one: before
// [Conn.OpenPurse] those have to be taken back then, see [Pool.Reclaim].
func (c *Conn) Loose(ctx context.Context, run string, limit *money.USD, gone money.USD, open map[string]money.USD) (loose bool, err error) {
	err = c.spend(ctx, run, true, func(a *account) error {
		loose = a.loose(limit, gone, open)
		return errUnchanged
	})
	return loose, err
}

// Purse is a run's money as its coordinator sees it.
type Purse struct {
	c   *Conn
	run string
}

// OpenPurse puts a run's money where workers can lease it: a cap, nil for none, of which gone is spent by items that are
// settled. Leases of an earlier execution stay for the items that are still open, by the names of their journals; each has at
// least what its item is known to have spent by now, and no more where they were [Conn.Loose].
func (c *Conn) OpenPurse(ctx context.Context, run string, limit *money.USD, gone money.USD, open map[string]money.USD) (*Purse, error) {
	p := &Purse{c, run}
	return p, c.spend(ctx, run, true, func(a *account) error {
		loose := a.loose(limit, gone, open)
		if a.Free, a.Cap, a.Gone = limit == nil, 0, gone; limit != nil {
			a.Cap = *limit
		}
		for key := range a.Leases {
			if _, is := open[key]; !is {
				delete(a.Leases, key)
			}
		}
		for key, spent := range open {
			if l, is := a.Leases[key]; is || spent > 0 {
				if l.Waiting = false; loose || spent > l.Amount {
					l.Amount = spent
				}
				a.Leases[key] = l
			}
		}
		return nil
	})
}

// Settle ends an item's lease: it cost that much at most. It is called when the cost is written down elsewhere.
func (p *Purse) Settle(ctx context.Context, key string, most money.USD) error {
	return p.c.spend(ctx, p.run, false, func(a *account) error {
		if _, ok := a.Leases[key]; !ok {
			return errUnchanged // it leased nothing, or this arrived before
		}
		delete(a.Leases, key)
		a.Gone = money.AddUSD(a.Gone, most)
		return nil
	})
}

// lender leases money for one item.
type lender struct {
	c                *Conn
	run, key, worker string
	turn             uint64
	mu               sync.Mutex
	alone            time.Time // since when nobody of whom something is waited for is on the roll
}

func (l *lender) lease(amount money.USD, waiting bool) lease {
	return lease{Amount: amount, Worker: l.worker, Turn: l.turn, Waiting: waiting}
}

// take makes the item's lease that of this holder. It says what the lease is by now, which an earlier holder had; free says
// that there is no cap.
func (l *lender) take(ctx context.Context) (held money.USD, free bool, err error) {
	err = l.c.spend(ctx, l.run, false, func(a *account) error {
		had := a.Leases[l.key]
		if held, free = had.Amount, a.Free; free {
			return errUnchanged
		}
		if had.Turn > l.turn {
			return ErrFenced
		}
		a.Leases[l.key] = l.lease(held, false)
		return nil
	})
	return held, free, err
}

// drop lets a lease of nothing go: it was taken for an item that had ended.
func (l *lender) drop(ctx context.Context) error {
	return l.c.spend(ctx, l.run, false, func(a *account) error {
		if had, is := a.Leases[l.key]; !is || had.Amount > 0 || had.Turn != l.turn {
			return errUnchanged
		}
		delete(a.Leases, l.key)
		return nil
	})
}

// A lease is for several calls, so that the account is not asked for each; but one item must not take what others need.
const (
	leaseCalls = 4
	leaseShare = 16
)

// Lend implements llm.Lender. What others hold may become free, unless they wait as well, or are gone: their items wait for
// a worker, of which this may be the only one. Whose lease somebody else took, or whose item is settled, gets nothing.
func (l *lender) Lend(ctx context.Context, short money.USD, blocked bool) (more money.USD, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var left money.USD
	var others []string
	err = l.c.spend(ctx, l.run, false, func(a *account) error {
		free, had := a.free(), a.Leases[l.key]
		more, left, others = 0, max(0, free), nil
		if had.Turn != l.turn {
			return ErrFenced
		}
		if free >= short {
			more = max(short, min(leaseCalls*short, free/leaseShare))
			a.Leases[l.key] = l.lease(money.AddUSD(had.Amount, more), false)
			return nil
		}
		for key, other := range a.Leases {
			if key != l.key && !other.Waiting && other.Amount > 0 && other.Worker != "" {
				others = append(others, other.Worker)
			}
		}
		if had.Waiting == blocked {
			return errUnchanged
		}
		a.Leases[l.key] = l.lease(had.Amount, blocked)
		return nil
	})
	if err != nil || more > 0 || !blocked || l.awaits(ctx, others) {
		return more, err
	}
	return 0, errors.Join(&llm.Error{Kind: llm.KindBudget, Message: fmt.Sprintf("budget exhausted: a call may cost up to %s more than is "+
		"leased, and %s is left", short.Round(4), left.Round(4))}, l.c.spend(ctx, l.run, false, func(a *account) error {
		if had := a.Leases[l.key]; had.Turn == l.turn {
			a.Leases[l.key] = l.lease(had.Amount, false) // it ends, and what it has is given back
		}
		return nil
	}))
}

// awaits reports whether one of these workers may give something back. One that is not on the roll may have been forgotten by a
// hub that was away, or its items are on their way to others.
func (l *lender) awaits(ctx context.Context, names []string) bool {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		on, err := l.c.works(ctx, name)
		if on || err != nil {
			l.alone = time.Time{}
			return true
		}
	}
	if l.alone.IsZero() {
		l.alone = time.Now()
	}
	return len(names) > 0 && time.Since(l.alone) < l.c.state.AckWait+2*reportEvery
}

var errUnchanged = errors.New("nothing is to be changed")

// mostClashes is how often an account is tried to change that others change, too.
const mostClashes = 1000

// mostLag is how long one hub of a cluster may be behind the others.
const mostLag = 5 * time.Second

// spend changes an account by compare and set, however long the hub is away. change may be called several times.
func (c *Conn) spend(ctx context.Context, run string, create bool, change func(*account) error) error {
	began := time.Now()
	for clashes := 0; clashes < mostClashes; {
		once, cancel := c.within(ctx, 5*time.Second)
		a, revision := account{}, uint64(0)
		kv, err := c.js.KeyValue(once, moneyBucket)
		var entry jetstream.KeyValueEntry
		if err == nil {
			entry, err = kv.Get(once, run)
		}
		switch {
		case err == nil:
			if err := json.Unmarshal(entry.Value(), &a); err != nil {
				cancel()
				return fmt.Errorf("the run's money: %w", err)
			}
			revision = entry.Revision()
		case errors.Is(err, jetstream.ErrKeyNotFound) && create:
			err = nil
		case errors.Is(err, jetstream.ErrKeyNotFound):
			if cancel(); time.Since(began) < mostLag && pause(ctx, 200*time.Millisecond) {
				continue
			}
			return errors.New("the run's money is not at the hub: its coordinator puts it there")
		}
		if a.Leases == nil {
			a.Leases = map[string]lease{}
		}
		if err == nil {
			if err = change(&a); err != nil {
				cancel()
				if errors.Is(err, errUnchanged) {
					return nil
				}
				return err
			}
			var text []byte
			if text, err = json.Marshal(a); err == nil {
				if revision == 0 {
					_, err = kv.Create(once, run, text)
				} else {
					_, err = kv.Update(once, run, text, revision)
				}
			}
		}
		cancel()
		switch {
		case err == nil:
			return nil
		case c.denied.Err() != nil || c.nc.IsClosed():
			return c.why(err)
		case errors.Is(err, jetstream.ErrKeyExists) || overtaken(err):
			clashes++
			continue
		case time.Since(began) > mostAway:
			return fmt.Errorf("the run's money cannot be asked for: %w", err)
		}
		if !pause(ctx, 200*time.Millisecond) { // the hub is away
			return ctx.Err()
		}
	}
	return errors.New("the run's money is changed by too many at once")
}

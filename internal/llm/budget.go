package llm

import (
	"context"
	"fmt"
	"sync"

	"github.com/deeprepo/deeprepo/internal/money"
)

// NoCap as a cap lets a budget count without limiting.
const NoCap money.USD = -1

// Budget is a pool of money that calls reserve from before they start and settle with after. At every moment
// spent + reserved + earmarked is at most the cap, for it and for every pool it is a child of, however many
// goroutines use them; only a call that costs more than its reservation can break that, and then Report says so.
type Budget struct {
	tree   *tree
	parent *Budget
	// funded pools (see Earmark) draw on money that their parents have set aside; funds is what is left of it.
	funded bool
	closed bool
	funds  money.USD

	limit    money.USD
	spent    money.USD
	held     money.USD // by reservations
	locked   money.USD // by earmarks
	replay   money.USD // by what earlier executions spent, until it is replayed
	over     money.USD
	unsure   money.USD
	unpriced int
}

// tree is what all pools of one budget share.
type tree struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever room may have appeared
	lender  Lender
	top     *Budget // where what is lent goes
}

// BudgetReport is the state of a pool, its children included.
type BudgetReport struct {
	Cap       *money.USD `json:"cap_usd"` // nil: none
	Spent     money.USD  `json:"spent_usd"`
	Reserved  money.USD  `json:"reserved_usd"`  // by calls in flight
	Earmarked money.USD  `json:"earmarked_usd"` // set aside by Earmark and not used yet
	Overrun   money.USD  `json:"overrun_usd"`   // what calls cost beyond their reservations
	// Uncertain is the part of Spent that stands for calls which broke off or did not report their usage. They are
	// charged with their whole reservation, since the provider may have billed them.
	Uncertain money.USD `json:"uncertain_usd"`
	// Unpriced counts finished calls of unknown cost. Spent does not contain them.
	Unpriced int `json:"unpriced_calls"`
}

// NewBudget is a pool of that much money; NoCap (or any negative cap) only counts. A cap of 0 refuses every call
// that could cost anything.
func NewBudget(limit money.USD) *Budget {
	return &Budget{tree: &tree{changed: make(chan struct{})}, limit: max(limit, NoCap)}
}

// Child is a pool within b: what it spends, b spends, and neither goes over its cap.
func (b *Budget) Child(limit money.USD) *Budget {
	return &Budget{tree: b.tree, parent: b, limit: max(limit, NoCap)}
}

// Earmark sets amount aside, for what must still be payable when the rest is gone (the last synthesis turn), and
// returns the pool that alone may spend it. Close gives back what is left.
func (b *Budget) Earmark(amount money.USD) (*Budget, error) {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	amount = max(amount, 0)
	if !b.room(amount, true) {
		return nil, b.refusal(amount)
	}
	b.lock(amount)
	return &Budget{tree: b.tree, parent: b, limit: amount, funded: true, funds: amount}, nil
}

// Close ends an earmarked pool: nothing more can be reserved in it, and what is left goes back, except for what calls
// in flight still hold. It does nothing for other pools, or twice.
func (b *Budget) Close() {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	if b.funded {
		b.closed, b.limit = true, 0
		b.giveBack()
		b.tree.wake()
	}
}

func (b *Budget) giveBack() {
	if spare := b.funds - b.held - b.locked; b.closed && spare > 0 {
		b.funds -= spare
		b.parent.lock(-spare)
	}
}

// Reservation is money held for one call.
type Reservation struct {
	b      *Budget
	amount money.USD
	done   bool
}

// Reserve holds amount, or fails with [ErrBudget] when there is no room now.
func (b *Budget) Reserve(amount money.USD) (*Reservation, error) {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	return b.reserve(amount)
}

// ReserveWait holds amount. Where only the reservations of calls in flight stand in the way it waits for them to
// settle, as they mostly settle for less; it fails with [ErrBudget] as soon as no settling can make room. Callers
// must not hold a reservation of the same tree themselves.
func (b *Budget) ReserveWait(ctx context.Context, amount money.USD) (*Reservation, error) {
	amount = max(amount, 0)
	for {
		b.tree.mu.Lock()
		if short := b.short(amount); short > 0 {
			blocked := b.tree.top.held == 0
			changed := b.tree.changed
			b.tree.mu.Unlock()
			if err := b.borrow(ctx, short, blocked, changed); err != nil {
				return nil, err
			}
			continue
		}
		if b.room(amount, true) || !b.room(amount, false) {
			defer b.tree.mu.Unlock()
			return b.reserve(amount)
		}
		changed := b.tree.changed
		b.tree.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, canceled(ctx)
		}
	}
}

// reserve needs the lock.
func (b *Budget) reserve(amount money.USD) (*Reservation, error) {
	amount = max(amount, 0)
	if !b.room(amount, true) {
		return nil, b.refusal(amount)
	}
	b.hold(amount)
	return &Reservation{b: b, amount: amount}, nil
}

// Replaying keeps what earlier executions of a run spent from being spent again before the run has come to it. It does not
// count as gone ([Budget.Remaining]) until Replay books it: a resumed run sees at each point the money that it had there.
func (b *Budget) Replaying(amount money.USD) {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	for n := b; n != nil; n = n.parent {
		n.replay = money.AddUSD(n.replay, amount)
	}
}

// Replay books what a call of an earlier execution can have cost, out of what Replaying keeps.
func (b *Budget) Replay(cost money.USD) {
	cost = max(cost, 0)
	b.tree.mu.Lock()
	for n := b; n != nil; n = n.parent {
		n.replay -= min(n.replay, cost)
	}
	b.hold(cost)
	b.tree.mu.Unlock()
	(&Reservation{b: b, amount: cost}).Settle(cost)
}

// Amount is what is held.
func (r *Reservation) Amount() money.USD { return r.amount }

// Settle ends the reservation: the call cost that much. Only the first of Settle, SettleUncertain and Release counts.
func (r *Reservation) Settle(cost money.USD) { r.end(max(cost, 0), 0) }

// SettleUncertain ends the reservation of a call that may have been billed an unknown amount: all of it counts
// as spent, which keeps the cap safe.
func (r *Reservation) SettleUncertain() { r.end(r.amount, r.amount) }

// Release ends the reservation of a call that cost nothing.
func (r *Reservation) Release() { r.end(0, 0) }

func (r *Reservation) end(cost, unsure money.USD) {
	t := r.b.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.done {
		return
	}
	r.done = true
	r.b.hold(-r.amount)
	for n := r.b; n != nil; n = n.parent {
		n.spent = money.AddUSD(n.spent, cost)
		n.unsure = money.AddUSD(n.unsure, unsure)
		n.over = money.AddUSD(n.over, max(0, cost-r.amount))
		if n.funded {
			fromFunds := min(cost, n.funds)
			n.funds -= fromFunds
			n.parent.lock(-fromFunds)
			n.giveBack()
		}
	}
	t.wake()
}

// unpricedCall counts a call whose cost is not known.
func (b *Budget) unpricedCall() {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	for n := b; n != nil; n = n.parent {
		n.unpriced++
	}
}

func (t *tree) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// room reports whether amount fits, next to calls in flight or (withHeld false) once they have all settled for
// nothing. A funded pool's money is already set aside in its parents. What costs nothing always fits, also in a pool
// that an overrun has emptied.
func (b *Budget) room(amount money.USD, withHeld bool) bool {
	if amount == 0 {
		return true
	}
	for n := b; n != nil; n = n.parent {
		used := money.AddUSD(money.AddUSD(n.spent, n.locked), n.replay)
		if withHeld {
			used = money.AddUSD(used, n.held)
		}
		if n.limit >= 0 && money.AddUSD(used, amount) > n.limit {
			return false
		}
		if n.funded {
			break
		}
	}
	return true
}

func (b *Budget) hold(amount money.USD) {
	for n := b; n != nil; n = n.parent {
		n.held += amount
		if n.funded {
			break
		}
	}
}

func (b *Budget) lock(amount money.USD) {
	for n := b; n != nil; n = n.parent {
		n.locked += amount
		if n.funded {
			break
		}
	}
}

func (b *Budget) refusal(amount money.USD) error {
	left, _ := b.remaining()
	return &Error{Kind: KindBudget, Message: fmt.Sprintf("budget exhausted: a call may cost up to %s, and %s is left", amount.Round(4),
		left.Round(4))}
}

// Spent is what settled calls cost.
func (b *Budget) Spent() money.USD { b.tree.mu.Lock(); defer b.tree.mu.Unlock(); return b.spent }

// Remaining is what can still be reserved, in b and every pool above it. capped is false when there is no cap at all, as
// for a nil b.
func (b *Budget) Remaining() (left money.USD, capped bool) {
	if b == nil {
		return 0, false
	}
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	return b.remaining()
}

func (b *Budget) remaining() (left money.USD, capped bool) {
	left = money.MaxUSD
	for n := b; n != nil; n = n.parent {
		if n.limit >= 0 {
			left, capped = min(left, max(0, n.limit-n.spent-n.held-n.locked)), true
		}
		if n.funded {
			break
		}
	}
	return left, capped
}

// Report is the pool's state at this moment.
func (b *Budget) Report() BudgetReport {
	b.tree.mu.Lock()
	defer b.tree.mu.Unlock()
	r := BudgetReport{Spent: b.spent, Reserved: b.held, Earmarked: b.locked, Overrun: b.over, Uncertain: b.unsure, Unpriced: b.unpriced}
	if b.limit >= 0 {
		r.Cap = new(b.limit)
	}
	return r
}

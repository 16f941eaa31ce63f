package llm

import (
	"context"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Lender gives a budget more out of a larger pool, of which others have parts, too.
type Lender interface {
	// Lend gives at least short, or nothing where others hold what may become free: then it is asked again. An error that is
	// [ErrBudget] says that nothing will. blocked says that the borrower cannot go on until it gets something: none of its
	// calls is in flight.
	Lend(ctx context.Context, short money.USD, blocked bool) (money.USD, error)
}

// Borrowing is a pool of that much money, which grows by what a lender gives to calls that wait ([Budget.ReserveWait]).
func Borrowing(limit money.USD, from Lender) *Budget {
	b := NewBudget(limit)
	b.tree.lender, b.tree.top = from, b
	return b
}

// askAgain is how long a call waits before its lender is asked again.
const askAgain = 200 * time.Millisecond

// short is what a lender has to give before amount fits; it needs the lock.
func (b *Budget) short(amount money.USD) money.USD {
	if b.tree.lender == nil || amount == 0 {
		return 0
	}
	top := b.tree.top
	used := money.AddUSD(money.AddUSD(top.spent, top.held), money.AddUSD(top.locked, top.replay))
	return money.AddUSD(used, amount) - top.limit
}

// borrow asks the lender once, and waits a while where it gave nothing.
func (b *Budget) borrow(ctx context.Context, short money.USD, blocked bool, changed <-chan struct{}) error {
	more, err := b.tree.lender.Lend(ctx, short, blocked)
	if err != nil {
		return err
	}
	if more > 0 {
		b.tree.mu.Lock()
		defer b.tree.mu.Unlock()
		b.tree.top.limit = money.AddUSD(b.tree.top.limit, more)
		b.tree.wake()
		return nil
	}
	select {
	case <-changed:
	case <-time.After(askAgain):
	case <-ctx.Done():
		return canceled(ctx)
	}
	return nil
}

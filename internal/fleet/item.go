package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// Item is what a worker is handed.
type Item struct {
	Kind    Kind
	Key     string
	Payload []byte
	// Last says that a failure now is the item's end: it was handed out MostDeliveries times.
	Last bool

	c       *Conn
	run     string
	worker  string
	journal *Journal
	silent  context.CancelFunc // ends the item's beats; tests have a worker freeze with it
}

// Conn is the connection that the item came by.
func (i *Item) Conn() *Conn { return i.c }

// Journal takes over the journal of a name, which the item's payload gives, with what former holders left in it. The item's
// result counts only if nobody has taken it over since.
func (i *Item) Journal(ctx context.Context, name string) (*Journal, error) {
	if !plainName(name) || i.journal != nil {
		return nil, fmt.Errorf("%q is no name of a journal, or the item has one", name)
	}
	var err error
	i.journal, err = i.c.openJournal(ctx, i.Kind, name)
	return i.journal, err
}

// Pool is the money that an item with a journal may spend, leased of its run's as it is needed: nil where the run has no cap.
// What an earlier holder of the journal had leased is in it, for what that one spent.
func (i *Item) Pool(ctx context.Context) (*llm.Budget, error) {
	l := &lender{c: i.c, run: i.run, key: i.journal.name, worker: i.worker, turn: i.journal.turn}
	held, free, err := l.take(ctx)
	if err != nil || free {
		return nil, err
	}
	if err := i.journal.still(); err != nil { // the item may have been settled before the lease was taken
		return nil, errors.Join(err, l.drop(ctx))
	}
	return llm.Borrowing(held, l), nil
}

// advice is what the user can do about an item's failure on this machine, "" where that is not known.
func (i *Item) advice(err error) string {
	if llm.KindOf(err) == llm.KindNotConfigured {
		return fmt.Sprintf("keys stay on the machines of workers: set it for worker %s, or start that with --kinds that leave %s out",
			i.worker, i.Kind)
	}
	return hint.Of(err)
}

// runOf is the run that an item's subject names.
func runOf(subject string) string {
	parts := strings.Split(subject, ".")
	return parts[max(0, len(parts)-2)]
}

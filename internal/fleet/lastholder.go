package fleet

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// hand takes a journal from whoever has it, keeping that much of it, or, where shut is false, lets workers have it.
func (c *Conn) hand(ctx context.Context, subject string, offset int, shut bool, o ...jetstream.PublishOpt) error {
	ctx, cancel := c.within(ctx, 5*time.Second)
	defer cancel()
	m := nats.NewMsg(subject)
	m.Header.Set(headOffset, strconv.Itoa(offset))
	if shut {
		m.Header.Set(headShut, "1")
	}
	_, err := c.js.PublishMsg(ctx, m, o...)
	return err
}

// journaling does something with a journal until it succeeds, however long the hub is away.
func (p *Pool) journaling(ctx context.Context, name string, do func(subject string, is written) error) error {
	subject := journalSubject + string(p.kind) + "." + name
	for {
		is, err := p.c.readJournal(ctx, subject)
		if err == nil {
			err = do(subject, is)
		}
		switch {
		case err == nil || errors.Is(err, errDamaged) || errors.Is(err, errNotWhole):
			return err
		case p.c.denied.Err() != nil || p.c.nc.IsClosed():
			return p.c.why(err)
		case overtaken(err):
			continue
		case !pause(ctx, 500*time.Millisecond):
			return err
		}
	}
}

// errNotWhole is a journal that is not what a result says.
var errNotWhole = errors.New("the item's journal is not what its worker signed")

// Journaled has an item done and returns its result, with the journal of that name that it left. From then on nobody writes
// to that. A result counts only if its maker had the journal last: otherwise that of who took it over is waited for.
func (p *Pool) Journaled(ctx context.Context, payload []byte, name string) (body, journal []byte, err error) {
	err = p.journaling(ctx, name, func(subject string, is written) error {
		if !is.shut {
			return nil
		}
		return p.c.hand(ctx, subject, len(is.all), false, jetstream.WithExpectLastSequencePerSubject(is.last))
	})
	former := ""
	for tries := 0; err == nil; tries++ {
		var w *call
		if w, err = p.do(ctx, payload); err == nil {
			err = w.err
		}
		if err != nil || w.journal == "" {
			return nil, nil, cmp.Or(err, errors.New("the item left no journal"))
		}
		if journal, err = p.took(ctx, name, w.journal); !errors.Is(err, errNotWhole) || tries == 2*MostDeliveries {
			return w.body, journal, err
		}
		if err = nil; w.journal == former { // no other one is stored by now
			err = p.journaling(ctx, name, func(string, written) error {
				return p.c.purge(ctx, resultStream, resultSubject+string(p.kind)+"."+w.key)
			})
		}
		former = w.journal
	}
	return nil, nil, err
}

// took shuts a journal that is as its digest says, and returns it.
func (p *Pool) took(ctx context.Context, name, is string) (journal []byte, err error) {
	looks := 0
	err = p.journaling(ctx, name, func(subject string, now written) error {
		journal = now.all
		if digest(now.all) == is {
			return p.c.hand(ctx, subject, len(now.all), true, jetstream.WithExpectLastSequencePerSubject(now.last))
		}
		if looks++; looks > 2 {
			return errNotWhole
		}
		return errNoResult // one of several servers may be behind
	})
	return journal, err
}

// SoFar returns a journal as far as it got, and nobody writes to it any more. Where ctx has ended all items of the run are
// stopped, and it waits a few seconds for the worker to write down what it had.
func (p *Pool) SoFar(ctx context.Context, name string) (journal []byte, err error) {
	if ctx.Err() != nil {
		_ = p.halt()
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		p.settle(ctx, name)
	}
	err = p.journaling(ctx, name, func(subject string, is written) error {
		journal = is.all
		return p.c.hand(ctx, subject, len(is.all), true, jetstream.WithExpectLastSequencePerSubject(is.last))
	})
	return journal, err
}

// Reclaim takes journals from whoever holds them and stops what an earlier execution of the run sent, who does not hear of it
// included: from then on nobody spends out of them. They are handed to take as far as they got, several at once.
func (p *Pool) Reclaim(ctx context.Context, names []string, take func(name string, journal []byte)) error {
	if err := p.halt(); err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(32)
	for _, name := range names {
		g.Go(func() error {
			is, err := p.c.readJournal(ctx, journalSubject+string(p.kind)+"."+name)
			if err == nil && is.last > 0 && !is.shut {
				p.settle(ctx, name) // who is stopped writes down what it had
			}
			journal, err := p.SoFar(ctx, name)
			if err == nil {
				take(name, journal)
			}
			return err
		})
	}
	return g.Wait()
}

// settle waits until a journal stands still, 5 s at most.
func (p *Pool) settle(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for last, same := uint64(0), 0; same < 2; same++ {
		is, err := p.c.readJournal(ctx, journalSubject+string(p.kind)+"."+name)
		if is.last != last {
			last, same = is.last, 0
		}
		if err != nil || !pause(ctx, 300*time.Millisecond) {
			return
		}
	}
}

// Forget removes a journal, once what it says is written down elsewhere. That it is shut stays, for a former holder that wakes
// later.
func (p *Pool) Forget(ctx context.Context, name string) error {
	subject := journalSubject + string(p.kind) + "." + name
	if err := p.c.hand(ctx, subject, 0, true); err != nil {
		return err
	}
	return p.c.purge(ctx, journalStream, subject, jetstream.WithPurgeKeep(1))
}

// purge removes what a stream holds on a subject.
func (c *Conn) purge(ctx context.Context, stream, subject string, but ...jetstream.StreamPurgeOpt) error {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, append(but, jetstream.WithPurgeSubject(subject))...)
}

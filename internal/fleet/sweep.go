package fleet

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// sweeping looks, now and then, for items that take long: for results whose notice was lost, and for items that a hub
// forgot.
func (p *Pool) sweeping(ctx context.Context) {
	tick := time.NewTicker(p.sweep)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, w := range p.late() {
			if ctx.Err() != nil {
				return
			}
			p.look(ctx, w)
		}
	}
}

// late are the open items that a server has had for a while.
func (p *Pool) late() []*call {
	p.mu.Lock()
	defer p.mu.Unlock()
	var late []*call
	for _, w := range p.open {
		if !w.sent.IsZero() && time.Since(w.sent) > p.sweep {
			late = append(late, w)
		}
	}
	return late
}

// look finds out what became of an item: a result, a death, still in the queue, or nowhere, and then it is sent again.
func (p *Pool) look(ctx context.Context, w *call) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if p.stored(ctx, w) {
		return
	}
	waits, err := p.held(ctx, workStream, p.subject(w))
	if waits || err != nil {
		return
	}
	// It was acknowledged between the two looks, or it is lost.
	if !p.stored(ctx, w) && ctx.Err() == nil {
		_ = p.send(ctx, w) // else at the next look
	}
}

// stored takes an item's result, or its death, out of the hub's streams.
func (p *Pool) stored(ctx context.Context, w *call) bool {
	return p.taken(ctx, w, resultStream, resultSubject) || p.taken(ctx, w, deadStream, deadSubject)
}

// taken takes what one of the hub's streams says of an item.
func (p *Pool) taken(ctx context.Context, w *call, stream, subject string) bool {
	m, err := p.c.last(ctx, stream, subject+string(p.kind)+"."+w.key)
	return err == nil && p.arrived(ctx, m.Header, m.Data, false)
}

// held reports whether a stream has a message on a subject.
func (p *Pool) held(ctx context.Context, stream, subject string) (bool, error) {
	_, err := p.c.last(ctx, stream, subject)
	if errors.Is(err, errNoResult) {
		return false, nil
	}
	return err == nil, err
}

// last is the last message on a subject of a stream; errNoResult says that there is none.
func (c *Conn) last(ctx context.Context, stream, subject string) (*jetstream.RawStreamMsg, error) {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	m, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, errNoResult
	}
	return m, err
}

package access

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections is a listener with a bound on open connections. A connection that answers no admitted request can be had
// for nothing, so when there are too many, such a one is closed for the new one: first those that never had an admitted
// request, the oldest first. Only where every connection answers an admitted request, or was opened just now, does a new
// one wait.
type connections struct {
	net.Listener
	most int

	mu      sync.Mutex
	changed sync.Cond // a connection was closed or became idle, or the listener was closed
	open    map[*connection]struct{}
	closed  bool
}

// connection is an open one. What follows Conn is guarded by the listener's mutex.
type connection struct {
	net.Conn
	in    *connections
	since time.Time // when it began to wait for a request
	known bool      // it had an admitted request
	busy  bool      // it answers one, or is a WebSocket
}

// moment is how long every connection has at the least for sending its request.
const moment = 100 * time.Millisecond

// connectionKey is where a request's context has its connection.
type connectionKey struct{}

func bound(l net.Listener, most int) *connections {
	b := &connections{Listener: l, most: most, open: map[*connection]struct{}{}}
	b.changed.L = &b.mu
	return b
}

// Accept waits for a client, and closes another's connection where there is no room.
func (l *connections) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.open) >= l.most && !l.closed {
		least := l.least()
		if least != nil && time.Since(least.since) >= moment {
			l.drop(least)
			continue
		}
		if least != nil {
			time.AfterFunc(moment-time.Since(least.since), l.changed.Broadcast)
		}
		l.changed.Wait()
	}
	if l.closed {
		raw.Close()
		return nil, net.ErrClosed
	}
	c := &connection{Conn: raw, in: l, since: time.Now()}
	l.open[c] = struct{}{}
	return c, nil
}

// least is the connection that is missed least, nil when none can be spared.
func (l *connections) least() *connection {
	var least *connection
	for c := range l.open {
		if !c.busy && (least == nil || least.known && !c.known || least.known == c.known && c.since.Before(least.since)) {
			least = c
		}
	}
	return least
}

func (l *connections) drop(c *connection) {
	delete(l.open, c)
	c.Conn.Close()
}

// closeIdle closes every connection that answers no admitted request.
func (l *connections) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if !c.busy {
			l.drop(c)
		}
	}
}

// Close ends Accept.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// Close makes room for another connection.
func (c *connection) Close() error {
	c.in.mu.Lock()
	delete(c.in.open, c)
	c.in.changed.Broadcast()
	c.in.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets net/http end an answer without losing it when not all of the request was read.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// admitted notes that a connection answers a request that was let in.
func admitted(ctx context.Context) {
	if c, ok := ctx.Value(connectionKey{}).(*connection); ok {
		c.in.mu.Lock()
		c.known, c.busy = true, true
		c.in.mu.Unlock()
	}
}

// note is the ConnState of a server on such a listener.
func note(raw net.Conn, state http.ConnState) {
	c, ok := raw.(*connection)
	if !ok || state != http.StateIdle {
		return
	}
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	c.since, c.busy = time.Now(), false
	c.in.changed.Broadcast()
}

package rlm

import (
	"context"
	"sync"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// memo keeps the replies of this run by request, so that the same prompt is not paid for twice, in one batch or in a
// later cell. Requests in progress are waited for.
type memo struct {
	mu   sync.Mutex
	done map[string]*memoEntry
}

type memoEntry struct {
	ready chan struct{}
	reply trace.Dispatch
}

// recall takes in the replies of earlier executions, so that a prompt whose own entry is missing in the journal finds the
// reply to its equal wherever that stands.
func (m *memo) recall(past []trace.Event) {
	m.done = map[string]*memoEntry{}
	ready := make(chan struct{})
	close(ready)
	for _, e := range past {
		if e.Kind == trace.KindDispatch && e.Hash != "" && e.Dispatch.Error == "" {
			m.done[e.Hash] = &memoEntry{ready: ready, reply: *e.Dispatch}
		}
	}
}

// do returns the reply to a request: the stored one, or what ask returns. Failures are not stored.
func (m *memo) do(ctx context.Context, hash string, ask func() trace.Dispatch) (d trace.Dispatch, shared bool) {
	for {
		m.mu.Lock()
		e, ok := m.done[hash]
		if !ok {
			e = &memoEntry{ready: make(chan struct{})}
			m.done[hash] = e
			m.mu.Unlock()
			e.reply = ask()
			if e.reply.Error != "" {
				m.mu.Lock()
				delete(m.done, hash)
				m.mu.Unlock()
			}
			close(e.ready)
			return e.reply, false
		}
		m.mu.Unlock()
		select {
		case <-e.ready:
		case <-ctx.Done():
			return trace.Dispatch{Error: ctx.Err().Error(), Usage: trace.Usage{CostPico: new(int64)}}, false
		}
		if e.reply.Error == "" {
			d = e.reply
			d.Usage, d.Cached, d.Seconds = trace.Usage{CostPico: new(int64)}, true, 0
			return d, true
		}
	}
}

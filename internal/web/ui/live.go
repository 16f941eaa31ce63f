package ui

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// live tells listeners what has changed. One goroutine checks each thing with listeners, however many there are, and
// none checks a thing without.
type live struct {
	base context.Context
	poll time.Duration
	most int
	wg   sync.WaitGroup

	mu        sync.Mutex
	listeners int
	watched   map[string]*watched // by what it is: a run's ID, or "" for the list
}

// watched is something with listeners.
type watched struct {
	listeners int
	cancel    context.CancelFunc

	mu      sync.Mutex
	version string
	changed chan struct{} // closed when there is another version
}

func newLive(base context.Context, poll time.Duration, most int) *live {
	return &live{base: base, poll: poll, most: most, watched: map[string]*watched{}}
}

// join begins to listen, or refuses when too many do. leave ends it.
func (l *live) join(what string, version func(context.Context) string) (w *watched, leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listeners >= l.most || l.base.Err() != nil {
		return nil, nil, false
	}
	l.listeners++
	w = l.watched[what]
	if w == nil {
		ctx, cancel := context.WithCancel(l.base)
		w = &watched{cancel: cancel, changed: make(chan struct{})}
		l.watched[what] = w
		l.wg.Go(func() { w.watch(ctx, l.poll, version) })
	}
	w.listeners++
	return w, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.listeners--
		if w.listeners--; w.listeners == 0 {
			w.cancel()
			delete(l.watched, what)
		}
	}, true
}

// watch looks again and again. A slow check is done more rarely, so that checking never keeps the machine busy.
func (w *watched) watch(ctx context.Context, poll time.Duration, version func(context.Context) string) {
	for {
		began := time.Now()
		now := version(ctx)
		if ctx.Err() != nil {
			return
		}
		w.mu.Lock()
		if now != w.version {
			w.version = now
			close(w.changed)
			w.changed = make(chan struct{})
		}
		w.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(poll, 5*time.Since(began))):
		}
	}
}

// state is the version, "" before the first check is done, and a channel that is closed when there is another.
func (w *watched) state() (string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.version, w.changed
}

// listen answers with events until the client goes or the server ends.
func (s *Server) listen(w http.ResponseWriter, r *http.Request, what string, version func(context.Context) string) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	// A fault in a look must not end the program.
	guarded := func(ctx context.Context) (v string) {
		defer func() {
			if fault := recover(); fault != nil {
				s.c.Log.Error("a run could not be looked at", "fault", fault)
				v = "fault"
			}
		}()
		return version(ctx)
	}
	watched, leave, ok := s.live.join(what, guarded)
	if !ok {
		h.Del("Content-Type")
		s.problem(w, r, Problem{http.StatusServiceUnavailable, "too many listen for changes",
			"close some of the pages that are open; this one can be reloaded"})
		return
	}
	defer leave()
	connection := http.NewResponseController(w)
	say := func(text string) bool {
		_ = connection.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a recorder has none
		_, err := w.Write([]byte(text))
		return err == nil && connection.Flush() == nil
	}
	if !say("retry: 2000\n\n") { // the headers go out now: the page knows that the server is there
		return
	}
	heartbeat := time.NewTicker(s.c.Heartbeat)
	defer heartbeat.Stop()
	last := ""
	for {
		now, changed := watched.state()
		if now != last {
			if !say(fmt.Sprintf("data: {\"version\":%q}\n\n", now)) {
				return
			}
			last = now
		}
		select {
		case <-changed:
		case <-heartbeat.C:
			if !say(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.base.Done():
			return
		}
	}
}

// Rows is the list of runs: what /api/runs answers.
type Rows struct {
	Runs      []doc.Row `json:"runs"`
	Truncated bool      `json:"truncated"` // there are more runs than are listed
	Fleet     bool      `json:"fleet"`     // /api/fleet has one
}

func (s *Server) list(ctx context.Context) (any, error) {
	now, err := s.runs.look(ctx)
	if err != nil {
		return nil, err
	}
	rows := now.rows
	if rows == nil {
		rows = []doc.Row{}
	}
	return Rows{rows, now.truncated, s.fleet != nil}, nil
}

// listVersion changes with the list: a run more or less, or one of them otherwise than it was.
func (s *Server) listVersion(ctx context.Context) string {
	list, err := s.list(ctx)
	if err != nil {
		list = err.Error()
	}
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(list); err != nil {
		return "fault"
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// runVersion changes with a run's directory.
func (s *Server) runVersion(ctx context.Context, id string) string {
	run, release, err := s.runs.use(ctx, id)
	if err != nil {
		return "gone"
	}
	defer release()
	return run.Version()
}

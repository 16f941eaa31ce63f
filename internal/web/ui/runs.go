package ui

import (
	"context"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// runs are the runs below the directories, and those of them that are open: opened on request, kept while there is
// room, reopened when their directory has been replaced.
type runs struct {
	lister *view.Lister
	most   int // open at once

	looking sync.Mutex // one look at a time

	mu     sync.Mutex
	closed bool
	found  found
	open   map[string]*openRun // by ID
	clock  int64
}

// found is the result of a search for runs.
type found struct {
	at        time.Time
	took      time.Duration
	rows      []doc.Row
	truncated bool
	paths     map[string]string // by ID
}

type openRun struct {
	run   *view.Run
	dir   os.FileInfo // when it was opened
	users int
	used  int64 // when, by the clock
	gone  bool  // to be closed by its last user
}

// fresh is how long the result of a search is valid.
const fresh = 300 * time.Millisecond

func newRuns(dirs []string, most, open int) *runs {
	return &runs{lister: view.NewLister(dirs, most), most: open, open: map[string]*openRun{}}
}

// look finds the runs that there are now, or were a moment ago.
func (s *runs) look(ctx context.Context) (found, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	s.mu.Lock()
	last := s.found
	s.mu.Unlock()
	// On directories where a look takes long it is not done again and again.
	if last.paths != nil && time.Since(last.at) < max(fresh, 2*last.took) {
		return last, nil
	}
	began := time.Now()
	rows, truncated, err := s.lister.Runs(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return found{}, ctx.Err()
		}
		return found{}, Problem{http.StatusNotFound, err.Error(), "was the directory moved? start deeprepo ui again with the new one"}
	}
	now := found{at: time.Now(), took: time.Since(began), rows: rows, truncated: truncated, paths: make(map[string]string, len(rows))}
	for _, row := range rows {
		now.paths[row.ID] = row.Path
	}
	s.mu.Lock()
	s.found = now
	s.mu.Unlock()
	return now, nil
}

// find gives the directory of a run.
func (s *runs) find(ctx context.Context, id string) (string, error) {
	s.mu.Lock()
	path, ok := s.found.paths[id]
	s.mu.Unlock()
	if ok {
		return path, nil
	}
	now, err := s.look(ctx)
	if err != nil {
		return "", err
	}
	if path, ok = now.paths[id]; !ok {
		return "", Problem{http.StatusNotFound, "there is no such run here",
			"it was moved or removed, or lies in another directory than those that deeprepo ui was given"}
	}
	return path, nil
}

// use opens a run, or takes one that is open; release lets go of it.
func (s *runs) use(ctx context.Context, id string) (run *view.Run, release func(), err error) {
	path, err := s.find(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.Stat(path)
	if err != nil {
		s.forget(id)
		return nil, nil, Problem{http.StatusNotFound, "the run's directory is gone: " + path, "it was moved or removed since the page was opened"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, Problem{http.StatusServiceUnavailable, "the server is shutting down", ""}
	}
	o := s.open[id]
	if o != nil && !os.SameFile(o.dir, dir) {
		s.drop(id)
		o = nil
	}
	if o == nil {
		run, err := view.Open(path)
		if err != nil {
			return nil, nil, err
		}
		o = &openRun{run: run, dir: dir}
		s.open[id] = o
	}
	o.users++
	s.clock++
	o.used = s.clock
	s.makeRoom()
	return o.run, func() { s.release(o) }, nil
}

// forget drops a run whose directory no longer exists, and the result of the last search.
func (s *runs) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(id)
	s.found.at = time.Time{}
}

func (s *runs) release(o *openRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.users--
	if o.gone && o.users == 0 {
		o.run.Close()
	}
	s.makeRoom()
}

// makeRoom drops the least recently used runs while too many are open. The caller holds mu.
func (s *runs) makeRoom() {
	for len(s.open) > s.most {
		oldest := ""
		for id, o := range s.open {
			if o.users == 0 && (oldest == "" || o.used < s.open[oldest].used) {
				oldest = id
			}
		}
		if oldest == "" {
			return // all are in use
		}
		s.drop(oldest)
	}
}

// drop takes a run out of those that are open; its last user closes it. The caller holds mu.
func (s *runs) drop(id string) {
	o := s.open[id]
	if o == nil {
		return
	}
	delete(s.open, id)
	o.gone = true
	if o.users == 0 {
		o.run.Close()
	}
}

func (s *runs) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for id := range s.open {
		s.drop(id)
	}
}

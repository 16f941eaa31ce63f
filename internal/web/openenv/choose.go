package openenv

import (
	"cmp"
	"container/list"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// choose makes the episode that a reset asks for. It has not begun.
func (s *Server) choose(ctx context.Context, d resetData) (*episode, error) {
	sel := s.c.Selection
	if d.Split != "" {
		sel.Split = d.Split
	}
	if d.Language != "" {
		sel.Language = d.Language
	}
	if d.Difficulty != "" {
		sel.Difficulty = d.Difficulty
	}
	if d.Files != 0 {
		sel.Files = d.Files
	}
	if d.Seed != nil {
		sel.Seed = *d.Seed
	}
	sel.Split = cmp.Or(sel.Split, env.Train)
	about := s.about
	if len(about.Splits) > 0 && !slices.Contains(about.Splits, sel.Split) {
		return nil, invalid("split", "%s has no split %s; it has %s", s.c.Environment.Name(), access.Quoted(sel.Split),
			strings.Join(about.Splits, " and "))
	}
	if difficulties := []string{"", env.Easy, env.Medium, env.Hard}; !slices.Contains(difficulties, sel.Difficulty) {
		return nil, invalid("difficulty", "there is no %s; there are %s", access.Quoted(sel.Difficulty), strings.Join(difficulties[1:], ", "))
	}
	if sel.Files != 0 && about.MaxFiles > 0 && (sel.Files < about.MinFiles || sel.Files > about.MaxFiles) {
		return nil, invalid("files", "%d is out of range: a task of %s has from %d to %d files", sel.Files, s.c.Environment.Name(),
			about.MinFiles, about.MaxFiles)
	}
	size := s.c.Environment.Size(sel)
	index := 0
	switch {
	case d.Index != nil:
		index = *d.Index
	case d.Seed == nil: // neither task nor seed was named: the next one
		index = int(s.next.Add(1) - 1)
		if size > 0 {
			index %= size
		}
	}
	if size > 0 && index >= size {
		return nil, invalid("index", "there are %d such tasks, counted from 0; there is no %d", size, index)
	}
	task, err := s.tasks.get(ctx, sel, index)
	if err != nil {
		return nil, err
	}
	id, err := episodeID(d)
	if err != nil {
		return nil, err
	}
	return &episode{id: id, task: task, selection: sel, index: index, rollout: d.Rollout, maxTurns: s.maxTurns(), bareCells: d.BareCells}, nil
}

func (s *Server) maxTurns() int {
	if s.c.MaxTurns > 0 {
		return s.c.MaxTurns
	}
	return s.about.MaxTurns
}

func episodeID(d resetData) (string, error) {
	if d.EpisodeID != nil && *d.EpisodeID != "" {
		return *d.EpisodeID, nil
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// keepTasks and keepFiles are how many tasks, and files in all of them, are kept for the other rollouts of their group.
const (
	keepTasks = 64
	keepFiles = 4096
)

// taskCache makes each task once for all who want it at about the same time: a trainer plays every task several times.
type taskCache struct {
	ctx   context.Context // bounds the making
	wg    sync.WaitGroup  // of those being made
	make  func(ctx context.Context, s env.Selection, i int) (env.Task, error)
	slots chan struct{} // making a task keeps a core busy

	mu     sync.Mutex
	byKey  map[taskKey]*list.Element
	recent list.List // of *taskEntry, the last used first
	files  int       // of those that are made
}

type taskKey struct {
	selection env.Selection
	index     int
}

type taskEntry struct {
	key   taskKey
	ready chan struct{}
	task  env.Task
	err   error
	files int // guarded by the cache
}

func newTaskCache(ctx context.Context, make_ func(ctx context.Context, s env.Selection, i int) (env.Task, error)) *taskCache {
	return &taskCache{ctx: ctx, make: make_, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), byKey: map[taskKey]*list.Element{}}
}

// get makes the task or waits until another call has made it. The making is not tied to ctx: others may wait for it.
func (c *taskCache) get(ctx context.Context, s env.Selection, i int) (env.Task, error) {
	key := taskKey{s, i}
	c.mu.Lock()
	element := c.byKey[key]
	if element == nil {
		entry := &taskEntry{key: key, ready: make(chan struct{})}
		element = c.recent.PushFront(entry)
		c.byKey[key] = element
		if c.recent.Len() > keepTasks {
			c.drop(c.recent.Back())
		}
		c.wg.Go(func() { c.fill(entry) })
	}
	c.recent.MoveToFront(element)
	c.mu.Unlock()
	entry := element.Value.(*taskEntry)
	select {
	case <-entry.ready:
		return entry.task, entry.err
	case <-ctx.Done():
		return env.Task{}, context.Cause(ctx)
	}
}

func (c *taskCache) fill(entry *taskEntry) {
	defer close(entry.ready)
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	entry.task, entry.err = c.make(c.ctx, entry.key.selection, entry.key.index)
	c.mu.Lock()
	defer c.mu.Unlock()
	element := c.byKey[entry.key]
	kept := element != nil && element.Value == entry
	switch {
	case entry.err != nil:
		entry.err = fmt.Errorf("make task %d: %w", entry.key.index, entry.err)
		if kept { // it may go better next time
			c.drop(element)
		}
	case kept && entry.task.Codebase != nil:
		entry.files = entry.task.Codebase.Stats().Files
		for c.files += entry.files; c.files > keepFiles && c.recent.Len() > 1; {
			c.drop(c.recent.Back())
		}
	}
}

func (c *taskCache) drop(element *list.Element) {
	entry := element.Value.(*taskEntry)
	c.files -= entry.files
	delete(c.byKey, entry.key)
	c.recent.Remove(element)
}

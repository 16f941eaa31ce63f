package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats.go/jetstream"
)

// WorkerStatus is what a worker says of itself, every few seconds.
type WorkerStatus struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Kinds   []Kind `json:"kinds"`
	Slots   int    `json:"slots"`
	Running int    `json:"running"`
	Done    int64  `json:"done"`
	// DoneBy is Done by kind.
	DoneBy map[Kind]int64 `json:"done_by"`
	Faults int64          `json:"faults"`
	// UpSeconds is how long it has worked. Durations are measured where they arise: machines' clocks differ.
	UpSeconds float64 `json:"up_seconds"`
	// Seen is when it last said so, by the hub's clock.
	Seen     time.Time `json:"seen"`
	Draining bool      `json:"draining,omitempty"`
	// OldestSeconds is how long the item runs that runs longest.
	OldestSeconds float64 `json:"oldest_seconds"`
}

// reportEvery is how often a worker says what it does.
const reportEvery = 2 * time.Second

// drainOrder is what a worker is told that shall take no more.
const drainOrder = "drain"

// plainName makes names that NATS takes as keys.
func plainName(name string) bool {
	return name != "" && len(name) <= 64 && strings.IndexFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}) < 0
}

// enlist puts a worker on the roll.
func (w *worker) enlist(ctx context.Context) error {
	if !plainName(w.Name) {
		return hint.New(fmt.Sprintf("%q is no name for a worker", w.Name), "letters, digits, - and _, at most 64")
	}
	ctx, cancel := w.c.within(ctx, 10*time.Second)
	defer cancel()
	kv, err := w.c.js.KeyValue(ctx, workerBucket)
	if err != nil {
		return w.c.why(err)
	}
	if _, err := kv.Create(ctx, w.Name, w.status()); errors.Is(err, jetstream.ErrKeyExists) {
		return hint.New(fmt.Sprintf("a worker named %s works here, or did %v ago", w.Name, workerTTL),
			"--name gives this one another name; or wait until the old one is forgotten")
	} else if err != nil {
		return w.c.why(err)
	}
	return nil
}

// works reports whether a worker of that name is on the roll.
func (c *Conn) works(ctx context.Context, name string) (bool, error) {
	ctx, cancel := c.within(ctx, 5*time.Second)
	defer cancel()
	kv, err := c.js.KeyValue(ctx, workerBucket)
	if err == nil {
		_, err = kv.Get(ctx, name)
	}
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return false, nil
	}
	return err == nil, err
}

// leave takes a worker off the roll.
func (w *worker) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if kv, err := w.c.js.KeyValue(ctx, workerBucket); err == nil {
		_ = kv.Purge(ctx, w.Name) // else it is forgotten after workerTTL
	}
}

// report says what a worker does until ctx ends.
func (w *worker) report(ctx context.Context) {
	kv, err := w.c.js.KeyValue(ctx, workerBucket)
	for err == nil && pause(ctx, reportEvery) {
		once, cancel := context.WithTimeout(ctx, reportEvery)
		_, _ = kv.Put(once, w.Name, w.status()) // one that is missed is followed by another
		cancel()
	}
}

func (w *worker) status() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := WorkerStatus{Name: w.Name, Version: w.c.state.Version, Kinds: slices.Sorted(maps.Keys(w.Handlers)), Slots: w.Slots,
		Running: len(w.running), Faults: w.faults, UpSeconds: time.Since(w.started).Seconds(),
		Draining: w.taking.Err() != nil}
	s.DoneBy = maps.Clone(w.done)
	for _, n := range w.done {
		s.Done += n
	}
	for _, at := range w.running {
		s.OldestSeconds = max(s.OldestSeconds, time.Since(at).Seconds())
	}
	text, _ := json.Marshal(s) // of plain fields
	return text
}

// obey waits for the order to drain.
func (w *worker) obey(ctx context.Context, stop func()) {
	kv, err := w.c.js.KeyValue(ctx, orderBucket)
	if err != nil {
		return
	}
	orders, err := kv.Watch(ctx, w.Name, jetstream.UpdatesOnly())
	if err != nil {
		w.Log.Warn("orders cannot be heard: fleet drain will not reach this worker", "error", err)
		return
	}
	defer func() { _ = orders.Stop() }()
	for {
		select {
		case o := <-orders.Updates():
			if o != nil && string(o.Value()) == drainOrder {
				w.Log.Info("told to drain: no more items are taken")
				stop()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

func (w *worker) begin(kind Kind, key string) {
	w.Meter.Begun(kind)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[key] = time.Now()
}

func (w *worker) end(kind Kind, key string, since time.Time) {
	w.Meter.Ended(kind, time.Since(since))
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, key)
}

func (w *worker) count(kind Kind) {
	w.Meter.Done(kind)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[kind]++
}

func (w *worker) fault(kind Kind, key string, err error) {
	w.Meter.Fault(kind)
	w.mu.Lock()
	w.faults++
	w.mu.Unlock()
	w.Log.Warn("an item failed on this machine; another one gets it", "key", key, "error", err)
}

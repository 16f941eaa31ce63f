package fleet

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats.go/jetstream"
)

// Status is what a fleet does.
type Status struct {
	Version string `json:"version"`
	// At is when, by the hub's clock.
	At      time.Time      `json:"at"`
	Workers []WorkerStatus `json:"workers"`
	Queues  []QueueStatus  `json:"queues"`
	Dead    []DeadItem     `json:"dead"`
	// Runs are those with a budget that spent last.
	Runs []RunMoney `json:"runs"`
}

// QueueStatus is a queue of items. Done counts what its workers did that are listed now.
type QueueStatus struct {
	Kind    Kind   `json:"kind"`
	Waiting uint64 `json:"waiting"`
	Running int    `json:"running"`
	Done    int64  `json:"done"`
	Dead    uint64 `json:"dead"`
	// OldestSeconds is the age of the item that was sent first among those that wait or run, 0 where there is none.
	OldestSeconds float64 `json:"oldest_seconds"`
	// Again counts items in work that were handed out more than once.
	Again int `json:"again"`
}

// DeadItem is one that nobody could finish.
type DeadItem struct {
	Kind   Kind      `json:"kind"`
	Key    string    `json:"key"`
	At     time.Time `json:"at"`
	Worker string    `json:"worker"`
	Reason string    `json:"reason"`
}

// mostDead is how many dead items a status names.
const mostDead = 20

// Status asks the hub.
func (c *Conn) Status(ctx context.Context) (Status, error) {
	ctx, cancel := c.within(ctx, 10*time.Second)
	defer cancel()
	s, err := c.status(ctx)
	return s, c.why(err)
}

func (c *Conn) status(ctx context.Context) (Status, error) {
	s := Status{Version: c.state.Version, Workers: []WorkerStatus{}, Queues: []QueueStatus{}, Dead: []DeadItem{}, Runs: []RunMoney{}}
	workers, err := c.js.KeyValue(ctx, workerBucket)
	if err != nil {
		return s, err
	}
	names, err := workers.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return s, err
	}
	for _, name := range names {
		entry, err := workers.Get(ctx, name)
		var w WorkerStatus
		if err == nil && json.Unmarshal(entry.Value(), &w) == nil && w.Name == name {
			w.Seen = entry.Created()
			s.Workers = append(s.Workers, w)
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return cmp.Compare(a.Name, b.Name) })
	for _, kind := range Kinds() {
		q, at, err := c.queue(ctx, kind)
		if err != nil {
			return s, err
		}
		for _, w := range s.Workers {
			q.Done += w.DoneBy[kind]
		}
		s.Queues, s.At = append(s.Queues, q), at
	}
	if s.Dead, err = c.deadItems(ctx); err == nil {
		s.Runs, err = c.runMoney(ctx)
	}
	return s, err
}

// queue is what waits of a kind, and when that was by the hub's clock.
func (c *Conn) queue(ctx context.Context, kind Kind) (QueueStatus, time.Time, error) {
	consumer, err := c.js.Consumer(ctx, workStream, string(kind))
	if err != nil {
		return QueueStatus{}, time.Time{}, err
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return QueueStatus{}, time.Time{}, err
	}
	q := QueueStatus{Kind: kind, Waiting: info.NumPending, Running: info.NumAckPending, Again: info.NumRedelivered}
	dead, err := c.js.Stream(ctx, deadStream)
	if err != nil {
		return q, info.TimeStamp, err
	}
	about, err := dead.Info(ctx, jetstream.WithSubjectFilter(deadSubject+string(kind)+".>"))
	if err != nil {
		return q, info.TimeStamp, err
	}
	q.Dead = uint64(len(about.State.Subjects))
	work, err := c.stream(ctx, workStream)
	if err != nil {
		return q, info.TimeStamp, err
	}
	first, err := work.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(workSubject+string(kind)+".>"))
	if err == nil {
		q.OldestSeconds = max(0, info.TimeStamp.Sub(first.Time).Seconds())
	} else if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return q, info.TimeStamp, err
	}
	return q, info.TimeStamp, nil
}

// deadItems are the latest items that nobody could finish.
func (c *Conn) deadItems(ctx context.Context) ([]DeadItem, error) {
	items := []DeadItem{}
	stream, err := c.js.Stream(ctx, deadStream)
	if err != nil {
		return items, err
	}
	last := stream.CachedInfo().State
	for seq := last.LastSeq; seq >= last.FirstSeq && seq > 0 && len(items) < mostDead; seq-- {
		m, err := stream.GetMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return items, err
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(m.Subject, deadSubject), ".")
		reason, _ := base64.StdEncoding.DecodeString(m.Header.Get(headReason))
		items = append(items, DeadItem{Kind: Kind(kind), Key: m.Header.Get(headKey), At: m.Time, Worker: m.Header.Get(headWorker),
			Reason: string(reason)})
	}
	return items, nil
}

// Slots is how many items of a kind the fleet's workers do at once.
func (c *Conn) Slots(ctx context.Context, kind Kind) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := c.Status(ctx)
	n := 0
	for _, w := range s.Workers {
		if slices.Contains(w.Kinds, kind) && !w.Draining {
			n += w.Slots
		}
	}
	return n, err
}

// Drain tells a worker to take no more items and to end once it has finished those that it has.
func (c *Conn) Drain(ctx context.Context, name string) error {
	ctx, cancel := c.within(ctx, 5*time.Second)
	defer cancel()
	workers, err := c.js.KeyValue(ctx, workerBucket)
	if err != nil {
		return c.why(err)
	}
	if _, err := workers.Get(ctx, name); err != nil {
		return hint.New(fmt.Sprintf("no worker named %q is here", name), "deeprepo fleet status names them")
	}
	orders, err := c.js.KeyValue(ctx, orderBucket)
	if err == nil {
		_, err = orders.Put(ctx, name, []byte(drainOrder))
	}
	return c.why(err)
}

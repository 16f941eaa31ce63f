package ui

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Fleet is what a fleet does now: what /api/fleet answers.
type Fleet struct {
	URL     string `json:"url"`
	Version string `json:"version"`
	// At is when, by the hub's clock.
	At      time.Time     `json:"at,omitzero"`
	Workers []FleetWorker `json:"workers"`
	More    int           `json:"more,omitempty"` // workers that are not listed
	Queues  []FleetQueue  `json:"queues"`
	Dead    []FleetDead   `json:"dead"`
	// Runs are those with a budget that spent last.
	Runs []FleetRun `json:"runs"`
	// Rates are how fast items were done in the last minutes, while somebody looked.
	Rates []FleetRate `json:"rates"`
	// Problem says why the hub could not be asked: the rest is what it said last.
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// FleetWorker is a worker that is there now.
type FleetWorker struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Kinds    []string `json:"kinds"`
	Slots    int      `json:"slots"`
	Running  int      `json:"running"`
	Done     int64    `json:"done"`
	Faults   int64    `json:"faults"`
	Draining bool     `json:"draining"`
	// PerMinute is how many items it did in a minute, by the last half of one; null: not known yet.
	PerMinute *float64 `json:"per_minute"`
	// UpS is how long it works, SeenS how long ago it last said so, LongestS how long the item runs that runs longest.
	UpS      float64 `json:"up_s"`
	SeenS    float64 `json:"seen_s"`
	LongestS float64 `json:"longest_s"`
}

// FleetQueue is a queue of items.
type FleetQueue struct {
	Kind    string `json:"kind"`
	Waiting uint64 `json:"waiting"`
	Running int    `json:"running"`
	// Again counts items in work that were handed out more than once, Done what the workers did that are there now.
	Again int    `json:"again"`
	Done  int64  `json:"done"`
	Dead  uint64 `json:"dead"`
	// OldestS is the age of the item that was sent first among those that wait or run.
	OldestS float64 `json:"oldest_s"`
}

// FleetDead is an item that nobody could finish.
type FleetDead struct {
	Kind   string    `json:"kind"`
	Key    string    `json:"key"`
	At     time.Time `json:"at"`
	Worker string    `json:"worker"`
	Reason string    `json:"reason"`
}

// FleetRun is what a run may spend on the fleet, and what became of that.
type FleetRun struct {
	Run    string    `json:"run"`
	Cap    money.USD `json:"cap_usd"`
	Spent  money.USD `json:"spent_usd"`  // by items that are settled
	Leased money.USD `json:"leased_usd"` // by items that run
	Items  int       `json:"items"`      // with a lease
	At     time.Time `json:"at"`         // when that last changed
}

// What of a fleet is shown at most. Names and reasons come from other machines.
const (
	mostWorkers = 1000
	mostDead    = 100
	mostKinds   = 20
	mostName    = 64
	mostReason  = 2000
)

// fleetEvery is how often a hub is asked at most, however many look; fleetPatience is how long it may take to answer.
const (
	fleetEvery    = time.Second
	fleetPatience = 5 * time.Second
)

// board is what is known of a fleet. The hub is asked when somebody looks, and never otherwise.
type board struct {
	url  string
	ask  func(context.Context) (fleet.Status, error)
	base context.Context
	now  func() time.Time

	looking sync.Mutex // one look at a time

	mu    sync.Mutex
	shown Fleet
	at    time.Time // of the last look
	pace  pace
}

// document is what the fleet does. A look that takes long is waited for by who began it; others see what was seen last.
func (b *board) document(ctx context.Context) (Fleet, error) {
	if b == nil {
		return Fleet{}, Problem{http.StatusNotFound, "no fleet is shown here", "deeprepo ui --fleet nats://HOST:PORT shows one"}
	}
	known, at := b.last()
	if at.IsZero() {
		b.looking.Lock() // nothing is known: everybody waits
	} else if !b.looking.TryLock() {
		return known, nil
	}
	defer b.looking.Unlock()
	if known, at = b.last(); !at.IsZero() && b.now().Sub(at) < fleetEvery || ctx.Err() != nil {
		return known, ctx.Err()
	}
	asking, cancel := context.WithTimeout(b.base, fleetPatience) // others wait for it, too: it does not end with this request
	defer cancel()
	status, err := b.ask(asking)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.now()
	if err != nil {
		b.shown.URL = doc.Clip(b.url, 500)
		b.shown.Problem, b.shown.Hint = doc.Clip(err.Error(), mostReason), doc.Clip(hint.Of(err), mostReason)
		if b.shown.Workers == nil {
			b.shown.Workers, b.shown.Queues, b.shown.Dead = []FleetWorker{}, []FleetQueue{}, []FleetDead{}
			b.shown.Runs, b.shown.Rates = []FleetRun{}, []FleetRate{}
		}
		return b.shown, nil
	}
	b.pace.add(status)
	b.shown = shownFleet(b.url, status, &b.pace)
	return b.shown, nil
}

func (b *board) last() (Fleet, time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown, b.at
}

// shownFleet is a status as the page shows it.
func shownFleet(url string, s fleet.Status, p *pace) Fleet {
	f := Fleet{URL: doc.Clip(url, 500), Version: doc.Clip(s.Version, mostName), At: s.At, Workers: []FleetWorker{}, Queues: []FleetQueue{},
		Dead: []FleetDead{}, Runs: []FleetRun{}, Rates: p.rates()}
	for _, w := range s.Workers[:min(len(s.Workers), mostWorkers)] {
		kinds := []string{}
		for _, kind := range w.Kinds[:min(len(w.Kinds), mostKinds)] {
			kinds = append(kinds, doc.Clip(string(kind), mostName))
		}
		one := FleetWorker{Name: doc.Clip(w.Name, mostName), Version: doc.Clip(w.Version, mostName), Kinds: kinds, Slots: w.Slots,
			Running: w.Running, Done: w.Done, Faults: w.Faults, Draining: w.Draining, UpS: w.UpSeconds,
			SeenS: max(0, s.At.Sub(w.Seen).Seconds()), LongestS: w.OldestSeconds}
		if rate := p.of(w.Name); rate != nil {
			one.PerMinute = new(*rate * 60)
		}
		f.Workers = append(f.Workers, one)
	}
	f.More = len(s.Workers) - len(f.Workers)
	for _, q := range s.Queues[:min(len(s.Queues), mostKinds)] {
		f.Queues = append(f.Queues, FleetQueue{Kind: doc.Clip(string(q.Kind), mostName), Waiting: q.Waiting, Running: q.Running, Again: q.Again,
			Done: q.Done, Dead: q.Dead, OldestS: q.OldestSeconds})
	}
	for _, d := range s.Dead[:min(len(s.Dead), mostDead)] {
		f.Dead = append(f.Dead, FleetDead{Kind: doc.Clip(string(d.Kind), mostName), Key: doc.Clip(d.Key, mostName), At: d.At,
			Worker: doc.Clip(d.Worker, mostName), Reason: doc.Clip(d.Reason, mostReason)})
	}
	for _, r := range s.Runs[:min(len(s.Runs), mostDead)] {
		f.Runs = append(f.Runs, FleetRun{Run: doc.Clip(r.Run, mostName), Cap: r.Cap, Spent: r.Spent, Leased: r.Leased, Items: r.Items, At: r.At})
	}
	return f
}

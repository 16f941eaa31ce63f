package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/nats-io/nats.go/jetstream"
)

// RunMoney is what a run may spend on a fleet, and what became of that.
type RunMoney struct {
	Run    string    `json:"run"`
	Cap    money.USD `json:"cap_usd"`
	Spent  money.USD `json:"spent_usd"`  // by items that are settled, at most
	Leased money.USD `json:"leased_usd"` // by items that run, what they have spent of it included
	Items  int       `json:"items"`      // with a lease
	// At is when that last changed, by the hub's clock.
	At time.Time `json:"at"`
}

// Of how many runs a status tells, and how many are looked at for that.
const (
	mostRuns     = 20
	mostAccounts = 500
)

// runMoney are the accounts of the runs that spent or leased last.
func (c *Conn) runMoney(ctx context.Context) ([]RunMoney, error) {
	runs := []RunMoney{}
	kv, err := c.js.KeyValue(ctx, moneyBucket)
	if err != nil {
		return runs, err
	}
	// Not by the bucket's own list: that makes a consumer each time.
	const prefix = "$KV." + moneyBucket + "."
	stream, err := c.stream(ctx, "KV_"+moneyBucket)
	if err != nil {
		return runs, err
	}
	about, err := stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return runs, err
	}
	for subject := range about.State.Subjects {
		if len(runs) == mostAccounts {
			break
		}
		entry, err := kv.Get(ctx, strings.TrimPrefix(subject, prefix))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // it was forgotten meanwhile
		}
		if err != nil {
			return runs, err
		}
		var a account
		if json.Unmarshal(entry.Value(), &a) != nil || a.Free { // without a cap nothing is counted
			continue
		}
		runs = append(runs, RunMoney{Run: entry.Key(), Cap: a.Cap, Spent: a.Gone, Leased: a.Cap - a.free() - a.Gone, Items: len(a.Leases),
			At: entry.Created()})
	}
	slices.SortFunc(runs, func(a, b RunMoney) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Run, b.Run)) })
	return runs[:min(len(runs), mostRuns)], nil
}

package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Bounds of an account: names and files come from other machines.
const (
	mostFleetWorkers = 1000
	mostWorkerName   = 64      // bytes
	mostFleetFile    = 8 << 20 // bytes of a fleet.json that is read back
)

// fleetEvery is how often a run's directory is told who did what.
const fleetEvery = 3 * time.Second

// fleetPool says who did how many items of a fleet; a *fleet.Pool does.
type fleetPool interface {
	Workers() map[string]int64
	Forged() int64
}

// fleetAccount knows who did a command's items. Its zero value is that of a command without a fleet.
type fleetAccount struct {
	mu    sync.Mutex
	url   string
	pools []*countedPool
	// work is what no directory holds yet: commands count some items before they have one, and others make several.
	work runfile.FleetWork
}

// countedPool is a pool, and how much of it is in the account.
type countedPool struct {
	fleetPool
	kind   fleet.Kind
	items  map[string]int64
	forged int64
}

// onFleet has items of a pool count as the command's, and has the program say at its end who did them.
func (a *app) onFleet(url string, kind fleet.Kind, pool fleetPool) {
	f := &a.fleetAccount
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pools == nil {
		a.closeLater(func() error { a.say(f.line()); return nil })
	}
	f.url = hubAddress(url)
	f.pools = append(f.pools, &countedPool{fleetPool: pool, kind: kind, items: map[string]int64{}})
}

// keepFleet keeps in a run's directory, beside what earlier executions of the run left there, who does the command's items
// from now on, and those that it did for no other directory. closing must be called before the directory is closed. Without
// a fleet nothing is written. A file that cannot be written is no reason to stop a run.
func (a *app) keepFleet(dir *rundir.Dir) (closing func()) {
	dir.Sweep(runfile.FleetName)
	before, err := readFleetWork(dir.Root())
	if err != nil { // there is none, or it is damaged: then the count begins anew
		before = runfile.FleetWork{}
	}
	last := ""
	write := func() {
		work, any := a.fleetAccount.since(before, time.Now().UTC().Truncate(time.Second))
		text, err := json.Marshal(work)
		if !any || err == nil && string(text) == last {
			return
		}
		if last = string(text); err == nil {
			err = dir.WriteJSON(runfile.FleetName, work)
		}
		if err != nil {
			a.say("who did what is not kept: " + err.Error())
		}
	}
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		tick := time.NewTicker(fleetEvery)
		defer tick.Stop()
		for {
			write()
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		writing.Wait()
		write()
		a.fleetAccount.kept()
	}
}

// readFleetWork reads what a run's directory says of who did what.
func readFleetWork(root *os.Root) (w runfile.FleetWork, err error) {
	text, err := bounded.ReadFileIn(root, runfile.FleetName, mostFleetFile)
	if err == nil {
		err = bounded.Unmarshal(text, &w)
	}
	return w, err
}

// since is what was done since the last directory was closed, added to what was done before. any is false without a fleet.
func (f *fleetAccount) since(before runfile.FleetWork, now time.Time) (work runfile.FleetWork, any bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count(now)
	work = addFleet(before, f.work)
	work.URL = cmp.Or(f.url, work.URL)
	return work, len(f.pools) > 0
}

// kept forgets what a directory holds now.
func (f *fleetAccount) kept() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.work = runfile.FleetWork{}
}

// count takes in what the pools say. The caller holds mu.
func (f *fleetAccount) count(now time.Time) {
	for _, p := range f.pools {
		fresh := runfile.FleetWork{Forged: p.Forged() - p.forged}
		p.forged += fresh.Forged
		for name, n := range p.Workers() {
			if more := n - p.items[name]; more > 0 {
				p.items[name] = n
				fresh.Workers = append(fresh.Workers, runfile.FleetShare{Name: termtext.Cut(name, mostWorkerName), Items: more,
					Kinds: map[string]int64{string(p.kind): more}, First: now, Last: now})
			}
		}
		f.work = addFleet(f.work, fresh)
	}
}

// addFleet adds up what was done at two times. Of too many workers those with the fewest items are counted together.
func addFleet(a, b runfile.FleetWork) runfile.FleetWork {
	sum := runfile.FleetWork{URL: a.URL, Workers: []runfile.FleetShare{}, Others: a.Others + b.Others, Forged: a.Forged + b.Forged}
	by := map[string]runfile.FleetShare{}
	for _, s := range slices.Concat(a.Workers, b.Workers) {
		if had, ok := by[s.Name]; ok {
			had.Items += s.Items
			had.Kinds = added(had.Kinds, s.Kinds)
			if s.First.Before(had.First) {
				had.First = s.First
			}
			if s.Last.After(had.Last) {
				had.Last = s.Last
			}
			s = had
		}
		by[s.Name] = s
	}
	sum.Workers = slices.AppendSeq(sum.Workers, maps.Values(by))
	slices.SortFunc(sum.Workers, func(a, b runfile.FleetShare) int {
		return cmp.Or(cmp.Compare(b.Items, a.Items), cmp.Compare(a.Name, b.Name))
	})
	for _, s := range sum.Workers[min(len(sum.Workers), mostFleetWorkers):] {
		sum.Others += s.Items
	}
	sum.Workers = sum.Workers[:min(len(sum.Workers), mostFleetWorkers)]
	slices.SortFunc(sum.Workers, func(a, b runfile.FleetShare) int { return cmp.Compare(a.Name, b.Name) })
	return sum
}

// added is the sum of two counts by name.
func added(a, b map[string]int64) map[string]int64 {
	sum := map[string]int64{}
	for _, counts := range []map[string]int64{a, b} {
		for name, n := range counts {
			sum[name] += n
		}
	}
	return sum
}

// line says who did the command's items. Names come from other machines.
func (f *fleetAccount) line() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all runfile.FleetWork
	for _, p := range f.pools {
		all.Forged += p.Forged()
		for name, n := range p.Workers() {
			all.Workers = append(all.Workers, runfile.FleetShare{Name: termtext.Cut(name, mostWorkerName), Items: n})
		}
	}
	return fleetLine(addFleet(all, runfile.FleetWork{}))
}

// fleetLine is who did what in one line.
func fleetLine(w runfile.FleetWork) string {
	parts := []string{}
	for _, s := range w.Workers {
		parts = append(parts, fmt.Sprintf("%s %d", termtext.Inline(termtext.Cut(s.Name, mostWorkerName)), s.Items))
	}
	if w.Others > 0 {
		parts = append(parts, fmt.Sprintf("others %d", w.Others))
	}
	line := "items of the fleet by worker: " + cmp.Or(strings.Join(parts, ", "), "none")
	if w.Forged > 0 {
		line += fmt.Sprintf("; warning: results that were not believed: %d (no worker of this fleet made them)", w.Forged)
	}
	return line
}

// hubAddress is a fleet's address without what lets somebody in.
func hubAddress(list string) string {
	var parts []string
	for one := range strings.SplitSeq(list, ",") {
		if u, err := url.Parse(one); err == nil && u.Host != "" {
			parts = append(parts, u.Scheme+"://"+u.Host)
		}
	}
	return strings.Join(parts, ",")
}

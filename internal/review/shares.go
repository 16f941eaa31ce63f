package review

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Shares divide one budget among reviews in directories below one: they know what each has cost, and what those in progress
// may cost. At every moment that is at most the cap.
type Shares struct {
	dir    *rundir.Dir
	runs   []string   // below dir
	cap    *money.USD // nil is none
	shared bool       // several are in progress at once

	mu      sync.Mutex
	settled *sync.Cond
	spent   []money.USD
	bound   []money.USD // what is promised to each run in all: what it spent, and while its journal is elsewhere its cap
	waiting int         // runs that are to be done and have not begun
	playing int
}

// Divide divides a cap, nil for none, among the reviews in directories of dir, of which some may be done. shared says that
// several are in progress at once: then each begins with an equal share of what is left among those that have not begun.
func Divide(dir *rundir.Dir, runs []string, done func(i int) bool, most *money.USD, shared bool) (*Shares, error) {
	p := &Shares{dir: dir, runs: runs, cap: most, shared: shared, spent: make([]money.USD, len(runs)), bound: make([]money.USD, len(runs))}
	p.settled = sync.NewCond(&p.mu)
	if most == nil {
		return p, nil
	}
	for i, run := range runs {
		if err := p.read(i); err != nil {
			return nil, err
		}
		if done(i) {
			continue
		}
		p.waiting++
		if shared { // its journal may be elsewhere, with all that it was allowed to spend
			p.bound[i] = max(p.bound[i], allowed(dir, run))
		}
	}
	return p, nil
}

// Begin says what the i-th run may cost in all, and whether it can begin with that. Nil is no cap. Side by side it waits for
// others to settle where all money is promised to them.
func (p *Shares) Begin(i int) (most *money.USD, enough bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cap == nil {
		return nil, true
	}
	for {
		left := *p.cap // what nobody was promised
		for _, b := range p.bound {
			left -= b
		}
		if p.shared && left > 0 {
			left /= money.USD(p.waiting)
		}
		most, enough := p.bound[i]+left, false
		if enough = most > 0; p.shared {
			enough = most > p.spent[i]
		}
		if enough || !p.shared || p.playing == 0 {
			p.waiting--
			p.playing++
			if p.shared && enough {
				p.bound[i] = max(p.bound[i], most)
			}
			return &most, enough
		}
		p.settled.Wait()
	}
}

// Promised is what all runs have cost, and what those whose journals may be elsewhere may cost.
func (p *Shares) Promised() (all money.USD) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.bound {
		all = money.AddUSD(all, b)
	}
	return all
}

// Leave is for a run that does not begin after all.
func (p *Shares) Leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.playing--
	p.settled.Broadcast()
}

// Settle books what a run has cost so far. Where its journal may be elsewhere, all that it was promised stays with it.
func (p *Shares) Settle(i int, known bool) error {
	defer p.Leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	promised := p.bound[i]
	if p.cap == nil {
		return nil
	}
	err := p.read(i)
	if p.shared && !known {
		p.bound[i] = max(p.bound[i], promised)
	}
	return err
}

// read books what a run's journal says.
func (p *Shares) read(i int) (err error) {
	p.spent[i], err = spent(p.dir.Root(), p.runs[i])
	p.bound[i] = p.spent[i]
	return err
}

// allowed is what a run that began was allowed to spend.
func allowed(dir *rundir.Dir, run string) money.USD {
	if _, err := dir.Root().Lstat(filepath.Join(run, ManifestName)); err != nil { // or a link leads out
		return 0
	}
	m, err := ReadManifest(filepath.Join(dir.Path(), run))
	if err != nil || m.Options.Budget == nil {
		return 0
	}
	return *m.Options.Budget
}

// spent is what a run's calls can have cost so far, by its trace. A call of unknown price is not in it: with a budget there
// are none.
func spent(root *os.Root, dir string) (money.USD, error) {
	events, err := ReadTrace(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	_, most, _ := trace.Cost(events)
	return money.USD(most), nil
}

// ReadTrace reads the journal of the review in a directory below root.
func ReadTrace(root *os.Root, dir string) ([]trace.Event, error) {
	f, err := bounded.OpenIn(root, filepath.Join(dir, TraceName), 0)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	defer f.Close()
	events, _, err := trace.Read(f)
	return events, err
}

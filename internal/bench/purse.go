package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// purse knows what every run has cost, and what those in progress may cost. At every moment that is at most the cap.
type purse struct {
	root   *os.Root
	runs   []*Review
	cap    *money.USD // nil is none
	shared bool       // several runs are in progress at once

	mu      sync.Mutex
	settled *sync.Cond
	spent   []money.USD
	bound   []money.USD // what is promised to each run in all: what it spent, and while its journal is elsewhere its cap
	waiting int         // runs that are to be done and have not begun
	playing int
}

func openPurse(dir *rundir.Dir, m Manifest, runs []*Review, shared bool) (*purse, error) {
	p := &purse{root: dir.Root(), runs: runs, shared: shared, spent: make([]money.USD, len(runs)), bound: make([]money.USD, len(runs))}
	p.settled = sync.NewCond(&p.mu)
	if m.Spec.Budget == nil {
		return p, nil
	}
	most, err := money.ParseUSD(strconv.FormatFloat(*m.Spec.Budget, 'f', -1, 64))
	if err != nil {
		return nil, fmt.Errorf("budget: %w", err)
	}
	p.cap = &most
	for i, run := range runs {
		if err := p.read(i); err != nil {
			return nil, err
		}
		if run.State == StateDone {
			continue
		}
		p.waiting++
		if shared { // its journal may be elsewhere, with all that it was allowed to spend
			p.bound[i] = max(p.bound[i], allowed(dir, run.Dir))
		}
	}
	return p, nil
}

// begin says what the i-th run may cost in all, and whether it can begin with that. Nil is no cap. Side by side it waits for
// others to settle where all money is promised to them.
func (p *purse) begin(i int) (most *money.USD, enough bool) {
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

// leave is for a run that does not begin after all.
func (p *purse) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.playing--
	p.settled.Broadcast()
}

// settle books what a run has cost so far. Where its journal may be elsewhere, all that it was promised stays with it.
func (p *purse) settle(i int, known bool) error {
	defer p.leave()
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
func (p *purse) read(i int) (err error) {
	p.spent[i], err = spent(p.root, p.runs[i].Dir)
	p.bound[i] = p.spent[i]
	return err
}

// allowed is what a run that began was allowed to spend.
func allowed(dir *rundir.Dir, run string) money.USD {
	if _, err := dir.Root().Lstat(filepath.Join(run, review.ManifestName)); err != nil { // or a link leads out
		return 0
	}
	m, err := review.ReadManifest(filepath.Join(dir.Path(), run))
	if err != nil || m.Options.Budget == nil {
		return 0
	}
	return *m.Options.Budget
}

// spent is what a run's calls can have cost so far, by its trace. A call of unknown price is not in it: with a budget there
// are none.
func spent(root *os.Root, dir string) (money.USD, error) {
	events, err := readTrace(root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", dir, err)
	}
	_, most, _ := trace.Cost(events)
	return money.USD(most), nil
}

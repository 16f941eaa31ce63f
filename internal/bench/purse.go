package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// purse knows what every run has cost.
type purse struct {
	cap   *money.USD // nil is none
	spent []money.USD
}

func openPurse(root *os.Root, m Manifest, all []job) (*purse, error) {
	p := &purse{spent: make([]money.USD, len(all))}
	if m.Spec.Budget == nil {
		return p, nil
	}
	most, err := money.ParseUSD(strconv.FormatFloat(*m.Spec.Budget, 'f', -1, 64))
	if err != nil {
		return nil, fmt.Errorf("budget: %w", err)
	}
	p.cap = &most
	for i, j := range all {
		if err := p.settle(i, root, j); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// left is what the i-th run may cost in all: the cap without what the others have spent. Nil is no cap.
func (p *purse) left(i int) *money.USD {
	if p.cap == nil {
		return nil
	}
	left := *p.cap
	for k, s := range p.spent {
		if k != i {
			left -= s
		}
	}
	return &left
}

// settle books a run's cost so far.
func (p *purse) settle(i int, root *os.Root, j job) (err error) {
	if p.cap != nil {
		p.spent[i], err = spent(root, j.dir)
	}
	return err
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

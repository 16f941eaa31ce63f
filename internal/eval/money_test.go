package eval

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// paidGuesser is a policy of which a call costs at most 16, and 10 when all goes well. It keeps its own book of what it
// charged. When call number killAt comes in, the process dies: later calls never happened.
type paidGuesser struct {
	mu            sync.Mutex
	killAt, calls int
	charged       money.USD
	die           func()
	fail          func(turn int) bool
}

func (p *paidGuesser) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.calls > p.killAt || p.fail != nil && p.fail(len(r.Messages)/2+1) {
		return llm.Response{}, &llm.Error{Kind: llm.KindConnection}
	}
	p.charged += 10
	if p.calls == p.killAt {
		p.die()
	}
	resp, err := guesser(ctx, r)
	resp.Cost = new(money.USD(10))
	return resp, err
}

func (p *paidGuesser) config() Config {
	c := config(nil)
	price := llm.Price{Output: 1_000_000}
	c.Root = func(pool *llm.Budget) (llm.Handle, error) {
		if pool == nil {
			pool = llm.NewBudget(llm.NoCap)
		}
		return llm.Handle{Name: "policy/guesser", Price: &price, Model: llm.WithBudget(p, pool, llm.BudgetConfig{Price: &price})}, nil
	}
	return c
}

// listing is what a directory holds, as far as names and sizes tell.
func listing(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { // what goes meanwhile shows in the next listing
		if err != nil {
			return nil
		}
		if info, err := e.Info(); err == nil {
			fmt.Fprintln(&b, path, info.Size())
		}
		return nil
	})
	return b.String()
}

// play begins the eval in o.Out, or continues it; where it dies, o.Out becomes what was left behind.
func (p *paidGuesser) play(t *testing.T, o *Options, limit money.USD) (died bool, out Outcome, err error) {
	t.Helper()
	left := t.TempDir()
	p.calls, p.die = 0, func() {
		died = true
		for n := 0; ; n++ { // the other rollouts go on meanwhile, and a process dies at one moment
			copied, before := filepath.Join(left, strconv.Itoa(n)), listing(o.Out)
			err := os.CopyFS(copied, os.DirFS(o.Out))
			if err == nil && listing(o.Out) == before {
				left = copied
				return
			}
			if n == 1000 {
				t.Error("the directory never stands still:", err)
				return
			}
		}
	}
	o.Budget = &limit
	if _, missing := os.Stat(o.Out); missing != nil {
		out, err = Run(t.Context(), *o, p.config())
	} else {
		out, err = Resume(t.Context(), o.Out, &limit, func(Options) (Config, error) { return p.config(), nil })
	}
	if died {
		o.Out = left
	}
	return died, out, err
}

// TestTheCapHoldsOverKills: what was billed over all executions never exceeds the cap, however often the process dies with
// calls in flight; and it lies between what the summary says that the rollouts cost at least and at most.
func TestTheCapHoldsOverKills(t *testing.T) {
	const limit = 400
	p, o := &paidGuesser{}, options(t, 5, 3)
	o.Concurrency = 3
	kills := 0
	for ; ; kills++ {
		p.killAt = 1 + 5*(kills%3) // some rollouts come to their end in between
		if kills == 100 {
			t.Fatalf("%d were charged, and there is no end", p.charged)
		}
		died, out, err := p.play(t, &o, limit)
		if p.charged > limit {
			t.Fatalf("%d were charged after %d kills, and the cap is %d", p.charged, kills+1, limit)
		}
		if died {
			continue
		}
		if err == nil || kills < 4 {
			t.Fatalf("after %d kills: %v, %+v", kills, err, out.Summary.Usage)
		}
		break
	}
	p.killAt = 10_000
	_, out, err := p.play(t, &o, 5000)
	u := out.Summary.Usage
	if err != nil || u.Total == nil || *u.Total > p.charged || *u.AtMost < p.charged || *u.Total == *u.AtMost {
		t.Fatalf("%d were charged, and the bill is %v to %v, %v", p.charged, u.Total, u.AtMost, err)
	}
	if _, _, err := p.play(t, &o, *u.AtMost-1); err == nil || !strings.Contains(err.Error(), "were spent already") {
		t.Errorf("with a cap below what the rows can have cost: %v", err)
	}
}

// TestTheCapHoldsForFailedRollouts: what rollouts cost that ended in an error, and are played again one after the other, is
// not there to be spent by the first of them.
func TestTheCapHoldsForFailedRollouts(t *testing.T) {
	const limit = 46
	p, o := &paidGuesser{killAt: 10_000, fail: func(turn int) bool { return turn > 1 }}, options(t, 4, 1)
	o.Concurrency = 1
	if _, out, err := p.play(t, &o, limit); err != nil || out.Summary.Errors < 3 || p.charged != 40 {
		t.Fatalf("%d were charged, %v, %+v", p.charged, err, out.Summary)
	}
	p.fail = nil
	_, out, err := p.play(t, &o, limit)
	if err == nil || p.charged > limit {
		t.Errorf("%d were charged, and the cap is %d: %v", p.charged, limit, err)
	}
	if u := out.Summary.Usage; u.Unfinished == nil || *u.Total+*u.Unfinished != p.charged || *u.AtMost+*u.UnfinishedAtMost != p.charged {
		t.Errorf("%d were charged, and all is settled: %+v", p.charged, u)
	}
}

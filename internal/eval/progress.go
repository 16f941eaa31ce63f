package eval

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Progress is a snapshot for a live view.
type Progress struct {
	Done, Total int // rollouts; done ones have a row, errors included
	Errors      int // of Done, those that ended in an error in this execution
	Running     int
	// Reward is the mean over what counts so far; only with Counted above 0.
	Reward  float64
	Counted int
	Spent   *money.USD // nil when something of unknown price was used
	Elapsed time.Duration
	// Left is the time that is left at this pace; 0 when there is no telling yet.
	Left time.Duration
}

// progress tells the observer where the eval stands.
func (e *evaluation) progress() {
	e.mu.Lock()
	p := Progress{Done: e.kept + e.ended, Total: e.o.Examples * e.o.Rollouts, Errors: e.erred, Running: len(e.running),
		Counted: e.counted, Elapsed: e.c.Now().Sub(e.started)}
	if e.counted > 0 {
		p.Reward = e.sum / float64(e.counted)
	}
	if e.ended > 0 {
		p.Left = time.Duration(float64(p.Elapsed) / float64(e.ended) * float64(p.Total-p.Done))
	}
	if e.spent != nil {
		p.Spent = money.Plus(e.spent, new(money.USD))
		for _, purse := range e.running {
			if p.Spent = money.Plus(p.Spent, purse.total()); p.Spent == nil {
				break
			}
		}
	}
	e.mu.Unlock()
	e.c.Observe(p)
}

func (e *evaluation) begin(p place, with *purse) {
	e.mu.Lock()
	e.running[p] = with
	e.mu.Unlock()
	e.progress()
}

// end forgets a rollout that is no longer in progress.
func (e *evaluation) end(p place) {
	e.mu.Lock()
	delete(e.running, p)
	e.mu.Unlock()
}

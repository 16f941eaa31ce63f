package generate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Report is what a run made.
type Report struct {
	// Total is how many samples there are to be, and Had how many of them there were before.
	Total, Had int
	Tally
	// Lost are the samples that could not be made.
	Lost []Lost
}

// Tally is what samples came to.
type Tally struct {
	Made int
	// Truncated counts those of Made that the token limit cut off, Empty those without text.
	Truncated, Empty int
	// Usage and Cost are of Made; a nil Cost is not known.
	Usage llm.Usage
	Cost  *money.USD
	// ModelSeconds adds up the model's time over Made; calls overlap.
	ModelSeconds float64
}

// Add counts a sample.
func (t *Tally) Add(s Sample) {
	one := Tally{Made: 1, Usage: s.Usage, Cost: s.Cost, ModelSeconds: s.Seconds}
	if s.Truncated() {
		one.Truncated = 1
	}
	if s.Completion == "" {
		one.Empty = 1
	}
	*t = t.Plus(one)
}

// Plus returns the sum of t and u; its Cost is not known unless both are.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Made: t.Made + u.Made, Truncated: t.Truncated + u.Truncated, Empty: t.Empty + u.Empty, Usage: t.Usage.Add(u.Usage),
		Cost: money.Plus(t.Cost, u.Cost), ModelSeconds: t.ModelSeconds + u.ModelSeconds}
}

// Missing is how many samples there are not.
func (r Report) Missing() int { return r.Total - r.Had - r.Made }

// Lost is a sample that could not be made.
type Lost struct {
	Task  string
	Index int
	Err   error
}

// Halt is why a run gave up before its end.
type Halt struct {
	// Budget says that the money ran out.
	Budget bool
	Err    error
}

func (h *Halt) Error() string {
	if h.Budget {
		return "the budget is used up"
	}
	return h.Err.Error()
}

func (h *Halt) Unwrap() error { return h.Err }

// Progress is a snapshot for a live view.
type Progress struct {
	// Done counts samples that are there, earlier ones included; Total is how many there are to be.
	Done, Total int
	// Lost counts those that could not be made.
	Lost int
	// Tokens are those of the replies of this run, and TokensPerSecond what they come to.
	Tokens          int64
	TokensPerSecond float64
	Cost            *money.USD // of this run; nil: not known
	Elapsed         time.Duration
	// Left is the time that is left at this pace; 0 while there is no telling.
	Left time.Duration
}

// run is a [Sampler.Run] in progress.
type run struct {
	s       *Sampler
	started time.Time
	report  Report
	row     int // samples lost without one made in between
}

// made counts a sample.
func (r *run) made(s Sample) {
	r.row = 0
	r.report.Add(s)
	r.observe()
}

// lost counts a sample that could not be made, and says whether the run should end.
func (r *run) lost(ctx context.Context, res result) error {
	if ctx.Err() != nil && llm.KindOf(res.err) == llm.KindCanceled {
		return nil // it is not lost, it was given up
	}
	if errors.Is(res.err, llm.ErrBudget) {
		return &Halt{Budget: true, Err: res.err}
	}
	r.report.Lost = append(r.report.Lost, Lost{res.task, res.index, res.err})
	r.row++
	r.observe()
	limit := patience
	switch kind := llm.KindOf(res.err); {
	case kind.Permanent():
		if r.report.Made == 0 { // it will fail every time
			return &Halt{Err: res.err}
		}
	case kind == llm.KindBadRequest:
		if r.report.Had+r.report.Made == 0 { // the same, most likely; later, one prompt may be refused that others are not
			return &Halt{Err: res.err}
		}
		limit = promptPatience
	case kind == llm.KindContextLength, kind == llm.KindInvalid:
		limit = promptPatience
	}
	if r.row >= limit {
		return &Halt{Err: fmt.Errorf("%d samples in a row were lost: %w", r.row, res.err)}
	}
	return nil
}

func (r *run) observe() {
	p := Progress{Done: r.report.Had + r.report.Made, Total: r.report.Total, Lost: len(r.report.Lost), Tokens: r.report.Usage.OutputTokens,
		Elapsed: r.s.c.Now().Sub(r.started)}
	if r.report.Cost != nil {
		p.Cost = new(*r.report.Cost)
	}
	if seconds := p.Elapsed.Seconds(); seconds > 0 && r.report.Made > 0 {
		p.TokensPerSecond = float64(p.Tokens) / seconds
		p.Left = time.Duration(float64(p.Elapsed) / float64(r.report.Made) * float64(r.report.Missing()))
	}
	r.s.c.Observe(p)
}

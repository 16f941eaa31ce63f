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
	// Total is how many samples there are to be, Had how many of them there were before, and Made how many the run
	// made.
	Total, Had, Made int
	// Truncated counts those of Made that the token limit cut off, Empty those without text.
	Truncated, Empty int
	// Lost are the samples that could not be made.
	Lost []Lost
	// Usage and Cost are of Made; a nil Cost is not known.
	Usage llm.Usage
	Cost  *llm.USD
	// ModelSeconds adds up the model's time over Made; calls overlap.
	ModelSeconds float64
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
	Cost            *llm.USD // of this run; nil: not known
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
	r.report.Made++
	if s.Truncated() {
		r.report.Truncated++
	}
	if s.Completion == "" {
		r.report.Empty++
	}
	r.report.ModelSeconds += s.Seconds
	r.report.Usage = r.report.Usage.Add(s.Usage)
	if s.Cost == nil {
		r.report.Cost = nil
	} else if r.report.Cost != nil {
		*r.report.Cost = money.AddUSD(*r.report.Cost, *s.Cost)
	}
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
	switch llm.KindOf(res.err) {
	case llm.KindAuth, llm.KindQuota, llm.KindUnknownModel, llm.KindUnknownProvider, llm.KindNotConfigured, llm.KindPrice, llm.KindUnreachable:
		if r.report.Made == 0 { // it will fail every time
			return &Halt{Err: res.err}
		}
	case llm.KindBadRequest:
		if r.report.Had+r.report.Made == 0 { // the same, most likely; later, one prompt may be refused that others are not
			return &Halt{Err: res.err}
		}
		limit = promptPatience
	case llm.KindContextLength, llm.KindInvalid:
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
		cost := *r.report.Cost
		p.Cost = &cost
	}
	if seconds := p.Elapsed.Seconds(); seconds > 0 && r.report.Made > 0 {
		p.TokensPerSecond = float64(p.Tokens) / seconds
		p.Left = time.Duration(float64(p.Elapsed) / float64(r.report.Made) * float64(r.report.Missing()))
	}
	r.s.c.Observe(p)
}

package generate

import (
	"context"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// callsName is the journal of calls beside a journal of samples: what each call can cost stands in it before the call
// leaves, and what it did cost when it is over. Only calls that are paid for are in it.
const callsName = "calls.jsonl"

// openCalls opens the journal of calls. What it does not know of the samples that are there is booked: an older version
// made them, or a power cut took its last lines.
func (j *Journal) openCalls(of Tally) error {
	if !j.durable {
		return nil
	}
	w, past, err := j.dir.Trace(callsName, true, time.Now, nil)
	if err != nil {
		return err
	}
	j.calls = w
	j.least, j.most, j.unknown = trace.Cost(past)
	if err := w.Append(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Resumed: len(past) > 0}}); err != nil {
		return err
	}
	switch {
	case of.Cost == nil && j.unknown == 0:
		return j.book("samples", trace.Usage{})
	case of.Cost != nil && int64(*of.Cost) > j.least:
		return j.book("samples", trace.Usage{CostPico: new(int64(*of.Cost) - j.least)})
	}
	return nil
}

// book journals what a call cost.
func (j *Journal) book(key string, u trace.Usage) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := trace.Event{Kind: trace.KindDispatch, Key: key, Dispatch: &trace.Dispatch{Usage: u}}
	least, most, unknown := trace.Cost([]trace.Event{e})
	j.least, j.most = int64(money.AddUSD(money.USD(j.least), money.USD(least))), int64(money.AddUSD(money.USD(j.most), money.USD(most)))
	j.unknown += unknown
	return j.calls.Append(e)
}

// Spent books what was spent by another account than the journal's, where that is more.
func (j *Journal) Spent(most money.USD) error {
	if more := int64(most) - j.most; j.calls != nil && j.unknown == 0 && more > 0 {
		return j.book("spent", trace.Usage{CostPico: new(int64), AtMostPico: &more})
	}
	return nil
}

// Cost is what all calls cost, over all executions: at least, and at most, where calls were not settled or were in flight
// when the process died. It is nil when that is not known.
func (j *Journal) Cost() (least, most *money.USD) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.unknown > 0 {
		return nil, nil
	}
	return new(money.USD(j.least)), new(money.USD(j.most))
}

// Charge takes from the pool what all calls so far can have cost; nil is no pool.
func (j *Journal) Charge(pool *llm.Budget) error {
	if pool == nil {
		return nil
	}
	_, most := j.Cost()
	if most == nil {
		return hint.New("what was spent before is not known, so a budget cannot be kept", "continue without --budget, or start anew")
	}
	r, err := pool.Reserve(*most)
	if err != nil {
		limit := pool.Report().Cap
		return hint.Wrap(fmt.Errorf("%s were spent already, and the budget is %s", most.Round(4), *limit), "give a larger one: --budget USD")
	}
	r.Settle(*most)
	return nil
}

// Into is the sampler whose calls stand in j, from before they leave until it is known what they cost.
func (s *Sampler) Into(j *Journal) *Sampler {
	c := *s
	if j.calls != nil {
		c.calls = j
		c.c.Model.Model = llm.WithPrice(s.c.Model.Model, s.c.Model.Price)
	}
	return &c
}

// complete asks the model for one sample.
func (s *Sampler) complete(ctx context.Context, j job, r llm.Request) (llm.Response, error) {
	if s.calls == nil {
		return s.c.Model.Model.Complete(ctx, r)
	}
	key := fmt.Sprintf("%s#%d", j.task, j.index)
	resp, err := s.c.Model.Model.Complete(ctx, llm.Reserving(s.calls.calls, r, key, false))
	u := llm.UsageOf(resp)
	if err != nil {
		u = llm.FailedUsage(err, s.c.Model.Price)
	}
	_ = s.calls.book(key, u) // where it cannot be written the reservation stands, and nothing leaves any more
	return resp, err
}

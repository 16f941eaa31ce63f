package orchestrationv1

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal is a rollout's trace: replies that an earlier execution recorded are not recorded, or asked for, again.
type journal struct {
	w    *trace.Writer
	past map[string]trace.Event
}

// newJournal also books what failed calls of the earlier execution cost, and what those that were killed in flight can have.
func newJournal(w *trace.Writer, past []trace.Event, bill *rlm.RoleUsage) *journal {
	j := &journal{w: w, past: make(map[string]trace.Event, len(past))}
	for _, e := range past {
		if e.Root != nil && e.Root.Error != "" {
			bill.Add(e.Root.Usage)
			continue
		}
		if e.Key != "" && e.Reserve == nil {
			j.past[e.Key] = e
		}
	}
	inFlight, _ := trace.InFlight(past)
	bill.AtMost = money.AddUSD(bill.AtMost, money.USD(inFlight))
	return j
}

// reply is the root's reply of that turn, if it is there.
func (j *journal) reply(turn int) *trace.Root { return j.past[turnKey(turn)].Root }

// cell is what that cell did the first time, if it did.
func (j *journal) cell(key string) *trace.Cell { return j.past[key].Cell }

// dispatches counts those of a cell.
func (j *journal) dispatches(cell string) int {
	n := 0
	for key, e := range j.past {
		if e.Dispatch != nil && strings.HasPrefix(key, cell+".") {
			n++
		}
	}
	return n
}

// add appends an event, unless an earlier execution did. A paid reply is on disk when it returns.
func (j *journal) add(e trace.Event, paid bool) error {
	if _, known := j.past[e.Key]; known && e.Key != "" {
		return nil
	}
	if paid {
		return j.w.AppendDurable(e)
	}
	return j.w.Append(e)
}

// Keys are package rlm's: turn 3, cell 1, second batch, prompt 17 is t003.c01.d002.0017.
func turnKey(turn int) string                  { return fmt.Sprintf("t%03d", turn) }
func cellKey(turn, cell int) string            { return fmt.Sprintf("%s.c%02d", turnKey(turn), cell) }
func callKey(cell string, batch, n int) string { return fmt.Sprintf("%s.d%03d.%04d", cell, batch, n) }

// recorded turns a journaled reply into the response that it was.
func recorded(r *trace.Root) llm.Response {
	return llm.Response{Text: r.Text, Reasoning: r.Reasoning, Finish: llm.Finish(r.Finish), Model: r.Model}
}

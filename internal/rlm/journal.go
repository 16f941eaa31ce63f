package rlm

import "github.com/deeprepo/deeprepo/internal/trace"

// noMoney is the error of a dispatch that the budget did not cover.
const noMoney = "the money that is left does not cover another call of this size: write the report from what you have"

// journal is the trace as the loop uses it: what has happened before is looked up by key, what happens now is appended
// before its result is used. Keys follow from the program, not from time: turn 3, cell 1, second batch, prompt 17 is
// "t003.c01.d002.0017" in every execution of the same run, so a resumed run finds its calls again.
type journal struct {
	w    *trace.Writer
	past map[string]trace.Event
	vain map[string][]trace.Usage // by key: what failed calls were billed that were asked again
}

func newJournal(w *trace.Writer, past []trace.Event) *journal {
	j := &journal{w: w, past: make(map[string]trace.Event, len(past)), vain: map[string][]trace.Usage{}}
	for _, e := range past {
		if e.Key != "" {
			switch old := j.past[e.Key]; {
			case old.Dispatch != nil && !old.Dispatch.Cached && billed(old.Dispatch.Usage):
				j.vain[e.Key] = append(j.vain[e.Key], old.Dispatch.Usage)
			case old.Root != nil:
				j.vain[e.Key] = append(j.vain[e.Key], old.Root.Usage)
			}
			j.past[e.Key] = e // a later event under the same key replaced a failed one
		}
	}
	return j
}

// lookup returns the event that an earlier execution recorded under key.
func (j *journal) lookup(key string, kind trace.Kind) (trace.Event, bool) {
	e, ok := j.past[key]
	return e, ok && e.Kind == kind
}

// rootReply returns the reply that a root model gave under key, nil if it is missing, and what failed calls under the key
// were billed.
func (j *journal) rootReply(key string) (reply *trace.Root, vain []trace.Usage) {
	vain = j.vain[key]
	e, ok := j.lookup(key, trace.KindRoot)
	switch {
	case !ok:
		return nil, vain
	case e.Root.Error != "":
		return nil, append(vain[:len(vain):len(vain)], e.Root.Usage)
	}
	return e.Root, vain
}

// dispatched returns a recorded dispatch if it may be used again: its request is the same and it succeeded. A failure is
// only repeated to a cell that ran to its end with it, so that what an outage broke is asked again after it. vain is
// what was billed under the key for replies that are of no use.
func (j *journal) dispatched(key, hash, cellKey string) (past *trace.Dispatch, vain []trace.Usage) {
	vain = j.vain[key]
	e, ok := j.lookup(key, trace.KindDispatch)
	if !ok {
		return nil, vain
	}
	usable := e.Hash == hash
	if e.Dispatch.Error != "" {
		_, finished := j.lookup(cellKey, trace.KindCell)
		// One that was refused for want of money cost nothing and may be affordable now.
		usable = usable && finished && e.Dispatch.Error != noMoney
	}
	if usable {
		return e.Dispatch, vain
	}
	if !e.Dispatch.Cached && billed(e.Dispatch.Usage) {
		vain = append(vain[:len(vain):len(vain)], e.Dispatch.Usage)
	}
	return nil, vain
}

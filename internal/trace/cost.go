package trace

import "math"

// Most is what a call can have cost, in pico-dollars; nil: its price is unknown.
func (u Usage) Most() *int64 {
	if u.CostPico == nil || u.AtMostPico == nil || *u.AtMostPico < *u.CostPico {
		return u.CostPico
	}
	return u.AtMostPico
}

// Cost is what all calls of a run have cost at least, and at most, in pico-dollars: where a call was not settled, or was in
// flight when the process died, they differ. unknown counts the calls whose price is not known; neither sum holds them.
func Cost(events []Event) (least, most int64, unknown int) {
	for _, e := range events {
		u, ok := e.Paid()
		switch {
		case !ok:
		case u.CostPico == nil:
			unknown++
		default:
			least, most = saturated(least, max(0, *u.CostPico)), saturated(most, max(0, *u.Most()))
		}
	}
	root, worker := InFlight(events)
	return least, saturated(most, saturated(root, worker)), unknown
}

// Paid is what an event's call consumed; false where the event is no call, or one that a cache answered.
func (e Event) Paid() (Usage, bool) {
	switch {
	case e.Root != nil:
		return e.Root.Usage, true
	case e.Dispatch != nil && !e.Dispatch.Cached:
		return e.Dispatch.Usage, true
	}
	return Usage{}, false
}

// InFlight is what the calls that were killed in flight can have cost in all executions of a run but the present one, in
// pico-dollars: nobody knows what they were billed, and it can be as much as was reserved. What became of a call stands
// behind its reservation, in the same execution.
func InFlight(events []Event) (root, worker int64) {
	open := map[string][]Reserve{}
	give := func() {
		for _, calls := range open {
			for _, c := range calls {
				if c.Root {
					root = saturated(root, c.MostPico)
				} else {
					worker = saturated(worker, c.MostPico)
				}
			}
		}
		clear(open)
	}
	for _, e := range events {
		switch e.Kind {
		case KindStart:
			if e.Node == "" { // a new execution; children begin within one
				give()
			}
		case KindReserve:
			if e.Reserve.MostPico <= 0 {
				delete(open, e.Key)
			} else {
				open[e.Key] = append(open[e.Key], *e.Reserve)
			}
		case KindRoot, KindDispatch:
			delete(open, e.Key)
		}
	}
	give()
	return root, worker
}

func saturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

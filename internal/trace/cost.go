package trace

import "math"

// Most is what a call can have cost, in pico-dollars; nil: its price is unknown.
func (u Usage) Most() *int64 {
	if u.CostPico == nil || u.AtMostPico == nil || *u.AtMostPico < *u.CostPico {
		return u.CostPico
	}
	return u.AtMostPico
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

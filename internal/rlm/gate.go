package rlm

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// maxHolds is how often an answer is held back before the root has its way.
const maxHolds = 3

// maxListed is how many uncovered files a message names.
const maxListed = 60

// hold decides whether an answer comes too early: the message says so, and is "" when the answer stands. It never holds
// back in the last turn, nor when the budget is gone: a thin report is better than none.
func (n *node) hold() (message string, err error) {
	gate := n.run.cfg.Gate
	if gate.Mode != GateHold || n.id != "" || n.holds >= maxHolds && n.heldIn != n.turn || n.turn >= n.maxTurns ||
		exhausted(n.pool, n.handle.Price, n.chars(), n.run.cfg.RootTokens) {
		return "", nil
	}
	covered, missing := n.run.ledger.Fraction(), n.run.ledger.Uncovered()
	if covered >= gate.Coverage || len(missing) == 0 {
		return "", nil
	}
	if n.heldIn != n.turn { // asking again and again in one turn does not wear the gate down
		n.holds++
		n.heldIn = n.turn
		n.run.count(func(m *Metrics) { m.GateHolds++ })
		e := trace.Event{Kind: trace.KindGate, Node: n.id, Turn: n.turn, Key: turnKey(n.id, n.turn) + ".gate",
			Gate: &trace.Gate{Coverage: covered, Wanted: gate.Coverage, Count: n.holds}}
		if err := n.recordOnce(e); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ANSWER NOT ACCEPTED (%d of %d): workers have answered for %.1f%% of the source lines, %.0f%% are wanted. ",
		n.holds, maxHolds, 100*covered, 100*gate.Coverage)
	fmt.Fprintf(&b, "Dispatch the text of these %d files, then call set_answer again:\n", len(missing))
	for i, path := range missing {
		if i == maxListed {
			fmt.Fprintf(&b, "... and %d more; coverage()[\"uncovered\"] lists them\n", len(missing)-maxListed)
			break
		}
		fmt.Fprintf(&b, "%q\n", path)
	}
	return b.String(), nil
}

package rlm

import (
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Result is what a run yielded.
type Result struct {
	Status     trace.Status
	StopReason trace.StopReason
	Shortfalls []trace.Shortfall // what was asked for and is missing
	Analysis   string            // the root's document, or what could be saved of it, Markdown
	Turns      int               // of the root that came to a reply, or failed at a cost
	Findings   []finding.Finding // grounded, merged, worst first
	Ungrounded []finding.Finding
	Dismissed  []runfile.Dismissed // taken back by the root
	Root       RoleUsage
	Worker     RoleUsage
	Metrics    Metrics
	Coverage   *coverage.Ledger
	Cause      error // of a root model's failure that ended the run, nil otherwise
	// Transcript is the root's conversation as it ended, its system message first.
	Transcript []llm.Message
}

// TotalCost is nil when the price of something that was used is unknown.
func (r Result) TotalCost() *money.USD { return total(r.Root, r.Worker) }

// AtMost is what the run can have cost: more than TotalCost where calls were not settled; nil when that is not known.
func (r Result) AtMost() *money.USD {
	if r.TotalCost() == nil {
		return nil
	}
	return new(money.AddUSD(r.Root.AtMost, r.Worker.AtMost))
}

// Metrics count what happened; each is also a metric of an eval.
type Metrics struct {
	Dispatches, DispatchErrors, CachedDispatches int
	BatchedDispatches                            int // of batches of two or more
	TurnsWithDispatch, TurnsWithoutCell          int
	Cells, CellErrors                            int
	RepeatedErrors                               int // cells that failed with the error of the cell before
	LongestErrorRun                              int
	GateHolds, Compactions                       int
	Children, ChildTurns                         int
}

// ending says why a loop stopped.
type ending struct {
	reason trace.StopReason
	fatal  error // the engine itself failed
	cause  error // the root model failed
}

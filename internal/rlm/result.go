package rlm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Result is what a run yielded.
type Result struct {
	Status     trace.Status
	StopReason trace.StopReason
	Analysis   string // the root's document, or what could be saved of it, Markdown
	Turns      int
	Findings   []finding.Finding // grounded, merged, worst first
	Ungrounded []finding.Finding
	Root       RoleUsage
	Worker     RoleUsage
	Metrics    Metrics
	Coverage   *coverage.Ledger
	Cause      error // of a root model's failure that ended the run, nil otherwise
	// Transcript is the root's conversation as it ended, its system message first.
	Transcript []llm.Message
}

// TotalCost is nil when the price of something that was used is unknown.
func (r Result) TotalCost() *llm.USD { return total(r.Root, r.Worker) }

// RoleUsage sums the calls of one role. Calls answered from a cache are not in it: nothing was paid for them.
type RoleUsage struct {
	Calls                      int
	Input, Output, CachedInput int64
	Cost                       llm.USD
	UnknownCost                int // calls whose price is unknown
}

// Add books one paid call.
func (u *RoleUsage) Add(t trace.Usage) { u.add(t, false) }

func (u *RoleUsage) add(t trace.Usage, cached bool) {
	if cached {
		return
	}
	u.Calls++
	u.Input += t.InputTokens
	u.Output += t.OutputTokens
	u.CachedInput += t.CachedTokens
	if t.CostPico == nil {
		u.UnknownCost++
		return
	}
	u.Cost += llm.USD(*t.CostPico)
}

// total adds up costs; nil when any is unknown.
func total(usages ...RoleUsage) *llm.USD {
	var sum llm.USD
	for _, u := range usages {
		if u.UnknownCost > 0 {
			return nil
		}
		sum += u.Cost
	}
	return &sum
}

// Metrics count what happened; each is also a metric of an eval.
type Metrics struct {
	Dispatches, DispatchErrors, CachedDispatches int
	BatchedDispatches                            int // of batches of two or more
	PromptBytes                                  int // of all prompts that workers answered
	TurnsWithDispatch, TurnsWithoutCell          int
	Cells, CellErrors                            int
	RepeatedErrors                               int // cells that failed with the error of the cell before
	LongestErrorRun                              int
	GateHolds, Compactions                       int
	Children, ChildTurns                         int
}

// result gathers what the run found. Findings are taken in the order of their keys, not of their arrival, so that the
// same replies make the same report.
func (r *run) result(n *node, end ending) Result {
	grounded, ungrounded := r.found()
	r.mu.Lock()
	defer r.mu.Unlock()
	res := Result{
		StopReason: end.reason, Cause: end.cause, Turns: min(n.turn, n.maxTurns), Analysis: n.answer,
		Findings: grounded, Ungrounded: ungrounded,
		Root: r.root, Worker: r.worker, Metrics: r.metrics, Coverage: r.ledger,
		Transcript: n.transcript(),
	}
	accepted := end.reason == trace.StopAnswer // an answer out of a cell that was interrupted is not the root's
	succeeded := r.metrics.Dispatches - r.metrics.DispatchErrors
	switch {
	case accepted && (succeeded > 0 || r.metrics.DispatchErrors == 0):
		res.Status = trace.StatusCompleted
	case accepted:
		res.Status, res.StopReason = trace.StatusPartial, trace.StopReason("no worker answered: "+r.lastErr)
	case succeeded > 0 || len(grounded) > 0 || res.Analysis != "":
		res.Status = trace.StatusPartial
	default:
		res.Status = trace.StatusFailed
	}
	if res.Analysis == "" {
		res.Analysis = n.salvage()
	}
	return res
}

func (r *run) found() (grounded, ungrounded []finding.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(r.harvest)) {
		grounded = append(grounded, r.harvest[key].grounded...)
		ungrounded = append(ungrounded, r.harvest[key].ungrounded...)
	}
	return finding.Merge(grounded), distinct(ungrounded)
}

// distinct drops claims that were made before to the letter: small models repeat themselves.
func distinct(claims []finding.Finding) []finding.Finding {
	seen := map[[3]string]bool{}
	var kept []finding.Finding
	for _, c := range claims {
		if key := [3]string{c.File, c.Title, c.Evidence}; !seen[key] {
			seen[key] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// salvage makes a document of what the turns printed when there was no answer: what was paid for is not lost.
func (n *node) salvage() string {
	if len(n.digests) == 0 {
		return ""
	}
	const most = 2 * 8192
	var b strings.Builder
	b.WriteString("The root did not hand in a report. This is what its turns printed:\n")
	for _, d := range n.digests {
		if b.Len() > most {
			break
		}
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(d.text), "```", "'''"))
	}
	return b.String()
}

// withoutCells is what a reply says outside of its cells and its thinking.
func withoutCells(text string) string {
	var b strings.Builder
	lines := strings.Split(stripThinking(text), "\n")
	for i := 0; i < len(lines); i++ {
		if ticks, info, ok := openingFence(lines[i]); ok && info != "" && isPython(info) {
			i, _ = closingFence(lines, i+1, ticks, true)
			continue
		}
		b.WriteString(lines[i] + "\n")
	}
	return strings.TrimSpace(b.String())
}

// prose is a reply's text outside of its cells, if that is enough to be a report.
func prose(text string) string {
	const enough = 200
	if out := withoutCells(text); len(out) >= enough {
		return out
	}
	return ""
}

package rlm

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/trace"
)

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

// takeUnreached takes the replies that earlier executions paid for and this one, which ended before its answer, did not
// come to: what they found and what they read is in the report all the same. Their bill is bookUnreached's.
func (r *run) takeUnreached() {
	for key, e := range r.journal.past {
		if _, reached := r.read[key]; reached || e.Kind != trace.KindDispatch || !strings.HasPrefix(key, "t") || e.Dispatch.Error != "" {
			continue
		}
		r.book(key, r.held(*e.Dispatch), *e.Dispatch)
	}
}

// result gathers what the run found. Findings are taken in the order of their keys, not of their arrival, so that the
// same replies make the same report.
func (r *run) result(n *node, end ending) Result {
	found := r.found.State()
	r.mu.Lock()
	defer r.mu.Unlock()
	res := Result{
		StopReason: end.reason, Shortfalls: r.shortfalls(end), Cause: end.cause, Turns: n.heard, Analysis: n.answer,
		Findings: found.Findings, Ungrounded: found.Ungrounded, Dismissed: found.Dismissed,
		Root: r.root, Worker: r.worker, Metrics: r.metrics, Coverage: r.ledger,
		Transcript: n.transcript(n.system()),
	}
	accepted := end.reason == trace.StopAnswer // an answer out of a cell that was interrupted is not the root's
	succeeded := r.metrics.Dispatches - r.metrics.DispatchErrors
	switch {
	case accepted && Complete(res.Shortfalls):
		res.Status = trace.StatusCompleted
	case accepted && r.metrics.Dispatches > 0 && succeeded == 0:
		res.Status, res.StopReason = trace.StatusPartial, trace.StopUnanswered+trace.StopReason(": "+r.lastErr)
	case accepted:
		res.Status = trace.StatusPartial
	case succeeded > 0 || len(found.Findings) > 0 || res.Analysis != "":
		res.Status = trace.StatusPartial
	default:
		res.Status = trace.StatusFailed
	}
	if res.Analysis == "" {
		res.Analysis = n.salvage()
	}
	return res
}

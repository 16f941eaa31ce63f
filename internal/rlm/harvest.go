package rlm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/trace"
)

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

// result gathers what the run found. Findings are taken in the order of their keys, not of their arrival, so that the
// same replies make the same report.
func (r *run) result(n *node, end ending) Result {
	grounded, ungrounded := r.found()
	r.mu.Lock()
	defer r.mu.Unlock()
	res := Result{
		StopReason: end.reason, Shortfalls: r.shortfalls(end), Cause: end.cause, Turns: min(n.turn, n.maxTurns), Analysis: n.answer,
		Findings: grounded, Ungrounded: ungrounded,
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

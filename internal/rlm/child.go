package rlm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// recurseAll answers rlm_query and rlm_batch: loop gives each task a loop of its own over the same codebase. At the depth
// limit a task becomes an ordinary dispatch. The children of one call share half of what their parent has left, in
// equal parts, so that no number of them, at any depth, can spend more than the cap.
func (n *node) recurseAll(ctx context.Context, tasks []string, model string, loop func(context.Context, *node) ending) []reply {
	if depth(n.id) >= n.run.cfg.MaxDepth {
		return n.dispatchAll(ctx, tasks, model, trace.PurposeReview)
	}
	n.batch++
	cell := cellKey(turnKey(n.id, n.turn), n.cell)
	batch := n.batch
	pools := divide(n.pool, len(tasks))
	children := make([]*node, len(tasks))
	replies := parallel(len(tasks), n.run.cfg.Concurrency, func(i int) reply {
		child := &node{run: n.run, id: callKey(cell, batch, i+1), task: tasks[i], pool: pools[i], maxTurns: n.run.cfg.ChildTurns}
		handle, err := n.run.cfg.Models.Root(child.pool)
		if err != nil {
			return reply{Error: err.Error()}
		}
		child.handle = handle
		if err := child.tellSystem(); err != nil {
			n.run.fault(err)
			return reply{Error: err.Error()}
		}
		children[i] = child
		end := loop(ctx, child)
		n.run.count(func(m *Metrics) { m.Children++; m.ChildTurns += child.heard })
		if child.accepted {
			return reply{Text: child.answer}
		}
		if text := cmp.Or(child.answer, child.salvage()); text != "" {
			return reply{Text: fmt.Sprintf("[the child stopped early: %s]\n%s", end.reason, text)}
		}
		return reply{Error: "the child stopped without an answer: " + string(end.reason)}
	})
	for _, child := range children {
		if child != nil {
			n.dispatches += child.dispatches
		}
	}
	return replies
}

package rlm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// runCells executes the cells of one reply in order and stops at the first that fails: the later ones were written in
// the belief that it would work. The outputs are what the root will see, one for each block.
func (n *node) runCells(ctx context.Context, session *sandbox.Session, blocks []block) ([]string, error) {
	outputs := make([]string, len(blocks))
	before := n.dispatches
	failed := false
	for i, b := range blocks {
		n.cell, n.batch, n.calls, n.reread = i+1, 0, 0, nil
		n.number++
		switch {
		case b.broken != "":
			outputs[i] = b.broken
		case failed:
			outputs[i] = "not run, because the cell before it failed"
		case n.accepted:
			outputs[i] = "not run, because the answer was handed in"
		}
		if outputs[i] != "" {
			session.Skip()
			continue
		}
		n.progress("running cell")
		cell, err := n.runCell(ctx, session, b.code)
		if err != nil {
			return outputs, err
		}
		outputs[i] = cell.Output
		failed = cell.ErrorType != "" || cell.Stop != ""
	}
	if n.dispatches > before {
		n.run.count(func(m *Metrics) { m.TurnsWithDispatch++ })
	}
	return outputs, nil
}

// runCell executes one cell. A cell that the journal knows runs again, to rebuild the REPL's variables, but the root
// sees what it saw the first time.
func (n *node) runCell(ctx context.Context, session *sandbox.Session, code string) (trace.Cell, error) {
	key := cellKey(turnKey(n.id, n.turn), n.cell)
	past, known := n.run.journal.lookup(key, trace.KindCell)
	if known && past.Cell.Stop == trace.CellKilled {
		session.Skip()
		n.rebook(key)
		return n.tookCell(*past.Cell, &sandbox.PyError{Type: past.Cell.ErrorType, Message: past.Cell.Error}), nil
	}
	before := slices.Clone(n.rests)
	result, err := session.Run(ctx, code)
	if err != nil {
		return trace.Cell{}, err
	}
	if err := n.run.faulty(); err != nil {
		return trace.Cell{}, err
	}
	if ctx.Err() != nil {
		return trace.Cell{}, ctx.Err() // its dispatches were refused: its output is not what it would have been
	}
	if result.Stop == trace.CellKilled { // what it did was undone, and a resumed run does not do it again
		n.rests, n.reread = before, nil
		n.run.found.Undo(key)
	}
	cell := n.view(code, result)
	if known {
		cell = *past.Cell
	} else if err := n.run.record(trace.Event{Kind: trace.KindCell, Node: n.id, Turn: n.turn, Key: key, Cell: &cell}, false); err != nil {
		return cell, err
	}
	return n.tookCell(cell, result.Error), nil
}

// rebook counts what the calls of a killed cell cost and brought. The cell itself does not run again: it left no
// variables behind, and would only be waited for and killed once more.
func (n *node) rebook(cell string) {
	batches := map[string]int{}
	for _, e := range n.run.cfg.Past {
		if !strings.HasPrefix(e.Key, cell+".") {
			continue
		}
		latest := n.run.journal.past[e.Key].Seq == e.Seq
		switch {
		case e.Kind == trace.KindRoot: // a child's
			n.replayed(&n.run.rootAgain, e.Root.Usage, false)
			n.run.charge(&n.run.root, e.Root.Usage, false)
		case e.Kind == trace.KindDispatch && latest:
			n.run.expect(1)
			n.dispatches++
			n.replayed(&n.run.workerAgain, e.Dispatch.Usage, e.Dispatch.Cached)
			n.take(e.Key, n.run.held(*e.Dispatch), *e.Dispatch)
			batches[e.Key[:max(0, strings.LastIndexByte(e.Key, '.'))]]++
		case e.Kind == trace.KindDispatch && billed(e.Dispatch.Usage):
			n.replayed(&n.run.workerAgain, e.Dispatch.Usage, e.Dispatch.Cached)
			n.run.charge(&n.run.worker, e.Dispatch.Usage, e.Dispatch.Cached)
		}
	}
	for _, size := range batches {
		if size > 1 {
			n.run.count(func(m *Metrics) { m.BatchedDispatches += size })
		}
	}
}

// tookCell counts a cell's errors.
func (n *node) tookCell(cell trace.Cell, e *sandbox.PyError) trace.Cell {
	run := n.errors.add(e)
	n.run.count(func(m *Metrics) {
		m.Cells++
		if cell.ErrorType != "" || cell.Stop != "" {
			m.CellErrors++
		}
		if run > 1 {
			m.RepeatedErrors++
		}
		m.LongestErrorRun = max(m.LongestErrorRun, run)
	})
	return cell
}

// view is a cell as the root sees it: its output, cut, with what helps against its error.
func (n *node) view(code string, result sandbox.Result) trace.Cell {
	cell := trace.Cell{
		Index: n.cell, Code: code, OutputTotal: result.OutputTotal, Stop: result.Stop, Steps: result.Steps,
		Seconds: result.Wall.Seconds(), Variables: n.variables(result.Changes),
	}
	if result.Changed > len(cell.Variables) {
		cell.VariablesTotal = result.Changed
	}
	out := n.clipped(result)
	n.run.ledger.Read(out)
	parts := []string{strings.TrimRight(out, "\n")}
	if e := result.Error; e != nil {
		cell.ErrorType, cell.Error = e.Type, cut(n.redacted(e.Message), 500)
		if !strings.Contains(out, e.Type) {
			parts = append(parts, cut(strings.TrimRight(n.redacted(e.Traceback), "\n"), n.run.cfg.OutputChars))
		}
		next := n.errors // a copy: tookCell counts
		if advice := advise(e, next.add(e)); advice != "" {
			parts = append(parts, advice)
		}
	}
	if advice := stopAdvice[result.Stop]; advice != "" {
		parts = append(parts, advice)
	}
	cell.Output = strings.TrimLeft(strings.Join(parts, "\n"), "\n")
	if cell.Output == "" {
		cell.Output = "(no output)"
	}
	return cell
}

// clipped is what a cell printed, cut to what the root sees; the rest is kept for more.
func (n *node) clipped(result sandbox.Result) string {
	out, lost := n.redacted(result.Output), result.OutputTotal-len(result.Output)
	if most := n.run.cfg.OutputChars; len(out) > most || lost > 0 {
		head := termtext.Cut(out, most)
		more := ""
		if rest := out[len(head):]; result.Stop != trace.CellKilled {
			n.rests.keep(n.number, rest, lost)
			if rest != "" {
				more = fmt.Sprintf(": more(%d) prints on", n.number)
			}
		}
		out = fmt.Sprintf("%s\n[output cut: %d of %d characters are shown%s]", head, len(head), max(result.OutputTotal, len(out)), more)
	}
	for _, cell := range n.reread {
		if left := n.rests.of(cell).left(); left != "" {
			out += "\n[" + left + "]"
		}
	}
	return out
}

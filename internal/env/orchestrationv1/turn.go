package orchestrationv1

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/trace"
)

const noCell = "No Python block was found. Put your code into a fence:\n\n```python\n# code\n```"

// respond runs the cells of a reply, up to the one that hands in the answer, and returns the message to the model.
func (r *rollout) respond(ctx context.Context, reply string) (string, error) {
	codes := cells(reply)
	if len(codes) == 0 {
		r.counts.turnsWithoutCell++
		return noCell, nil
	}
	before := r.out.Worker.Calls
	var outputs []string
	chars := -1 // of what is joined, line breaks included
	for i, code := range codes {
		cell, err := r.run(ctx, i+1, code)
		if err != nil {
			return "", err
		}
		outputs = append(outputs, cell.Output)
		chars += cell.OutputTotal + 1
		if r.repl.report.Ready {
			break
		}
	}
	if r.out.Worker.Calls > before {
		r.counts.turnsWithDispatch++
	}
	seen := strings.Join(outputs, "\n")
	if chars > outputChars {
		seen = firstChars(seen, outputChars) + fmt.Sprintf(
			"\n\n[output cut: %d of %d characters are shown; search with code instead]", outputChars, chars)
	}
	switch left := r.MaxTurns - r.turn; {
	case left <= 2:
		seen += fmt.Sprintf("\n\n[Warning: %d turn(s) left. Call set_answer(text) now, with what you have found.]", left)
	case left <= 4:
		seen += fmt.Sprintf("\n\n[%d turns left: begin to write your report.]", left)
	}
	return "Output of the REPL:\n```\n" + seen + "\n```", nil
}

// run executes the n-th cell of the turn and journals it. Output holds at most one character more than can be shown;
// OutputTotal counts characters here.
func (r *rollout) run(ctx context.Context, n int, code string) (trace.Cell, error) {
	r.observe("running cell")
	r.cell, r.batch, r.item = cellKey(r.turn, n), 0, 0
	past := r.journal.cell(r.cell)
	if past != nil && past.Stop == "killed" {
		// It left nothing behind but its dispatches, and would only be waited for and killed once more.
		r.out.Worker.Calls += r.journal.dispatches(r.cell)
		r.counts.cell(*past, &r.lastError)
		return *past, nil
	}
	result, err := r.repl.run(ctx, code)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return trace.Cell{}, err
	}
	did := r.repl.report
	cell := trace.Cell{
		Index: n, Code: code, Output: did.Output, OutputTotal: did.Chars, ErrorType: did.ErrorType, Error: did.Error,
		Stop: result.Stop, Steps: result.Steps, Seconds: result.Wall.Seconds(),
	}
	if cell.Output == "" {
		cell.Output = "[no output]"
		cell.OutputTotal = utf8.RuneCountInString(cell.Output)
	}
	if past != nil {
		cell = *past // what the model saw the first time
	}
	r.counts.cell(cell, &r.lastError)
	return cell, r.journal.add(trace.Event{Kind: trace.KindCell, Turn: r.turn, Key: r.cell, Cell: &cell}, false)
}

// counted is what happened, for the metrics.
type counted struct{ cells, errors, repeated, turnsWithDispatch, turnsWithoutCell int }

func (c *counted) cell(cell trace.Cell, last *string) {
	c.cells++
	failure := ""
	if cell.ErrorType != "" {
		failure = cell.ErrorType + cell.Error
		c.errors++
		if failure == *last {
			c.repeated++
		}
	}
	*last = failure
}

func metricNames() []string {
	return []string{
		"num_turns", "turns", "dispatches", "unique_files", "bullets", "zero_delegation", "turns_with_dispatch",
		"turns_without_cell", "cells", "cell_errors", "repeated_errors",
	}
}

// score computes the reward and the metrics from what the last report said.
func (r *rollout) score() {
	did, out := r.repl.report, &r.out
	parts := Parts{Efficiency: Efficiency(r.played)}
	var bullets []string
	if did.Answer != nil {
		out.Answer = *did.Answer
		bullets = Bullets(out.Answer)
		parts.Recall = Recall(bullets, r.task.findings)
	}
	if did.TotalFiles != nil {
		parts.Coverage = Coverage(did.Unique, *did.TotalFiles)
	}
	out.Parts = []env.Part{
		{Name: "coverage", Value: parts.Coverage, Weight: coverageWeight},
		{Name: "recall", Value: parts.Recall, Weight: recallWeight},
		{Name: "efficiency", Value: parts.Efficiency, Weight: efficiencyWeight},
	}
	if did.Answer != nil && did.TotalFiles != nil { // else the reference's function raises, which counts as 0
		out.Reward = parts.Reward()
	}
	turns := r.played
	if out.Stop == env.StopAnswer || out.Stop == env.StopTurns {
		turns++ // verifiers' last call, whose reply is not run
	}
	zero := 0.0
	if did.Dispatches == 0 {
		zero = 1
	}
	c := r.counts
	out.Metrics = map[string]float64{
		"num_turns": float64(turns), "turns": float64(r.played), "dispatches": float64(did.Dispatches),
		"unique_files": float64(did.Unique), "bullets": float64(len(bullets)), "zero_delegation": zero,
		"turns_with_dispatch": float64(c.turnsWithDispatch), "turns_without_cell": float64(c.turnsWithoutCell),
		"cells": float64(c.cells), "cell_errors": float64(c.errors), "repeated_errors": float64(c.repeated),
	}
}

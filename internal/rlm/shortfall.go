package rlm

import (
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// readingOf judges a dispatch that is over. A reply is usable when it holds what workers are asked for (JSON, or a list of
// findings) to its end. Prose that is no refusal is an answer, too: to a question without source, and from a model whose
// server cannot be asked to hold it to the schema.
func readingOf(d trace.Dispatch, p finding.Parsed, err error, held coverage.Prompt) reading {
	r := reading{held: held, by: d.Model, task: taskOf(d.Prompt)}
	if held.Empty() {
		r.prompt = d.Prompt
	}
	cut := d.Finish == string(llm.FinishLength)
	switch {
	case d.Error != "":
		r.short = failure(d)
	case d.Purpose == trace.PurposeVerdict: // its reader says what it is worth
	case p.Refused():
		r.short = trace.ShortRefused
	case d.Purpose == trace.PurposeQuestion && !cut: // whatever it says is an answer
	case d.Purpose == trace.PurposeQuestion:
		r.short = trace.ShortCut
	case p.Dropped > 0 || p.Cut || cut && (err != nil || p.Form != finding.FormJSON):
		r.short = trace.ShortCut
	case err != nil:
		r.short = trace.ShortUnreadable
	case p.Form == finding.FormText && d.Schema && !held.Empty():
		r.short = trace.ShortUnreadable
	}
	return r
}

// failure is the shortfall that a failed dispatch is.
func failure(d trace.Dispatch) trace.ShortfallCode {
	switch kind := llm.Kind(d.Failure); {
	case kind == llm.KindBudget || d.Error == noMoney:
		return trace.ShortBudget
	case kind == llm.KindFiltered:
		return trace.ShortRefused
	case kind == llm.KindCanceled:
		return trace.ShortStopped
	}
	return trace.ShortFailed
}

// shortfalls says what is missing from a run that ended. What failed and was made up for later is not missing: every line
// of the prompt was answered elsewhere, or, where it held none, the same prompt was. It needs the lock.
func (r *run) shortfalls(end ending) []trace.Shortfall {
	answered := map[string]bool{}
	for _, d := range r.read {
		if d.short == "" && d.held.Empty() {
			answered[d.prompt] = true
		}
	}
	count, prompts := map[trace.ShortfallCode]int{}, map[trace.ShortfallCode][]coverage.Prompt{}
	for _, key := range slices.Sorted(maps.Keys(r.read)) {
		d := r.read[key]
		if d.short == "" || d.held.Empty() && answered[d.prompt] || !d.held.Empty() && r.ledger.Unanswered(d.held) == 0 {
			continue
		}
		count[d.short]++
		prompts[d.short] = append(prompts[d.short], d.held)
	}
	switch {
	case end.cause != nil || end.fatal != nil:
		count[trace.ShortRoot]++
	case end.reason == trace.StopBudget:
		count[trace.ShortBudget]++
	case end.reason == trace.StopTurns:
		count[trace.ShortTurns] = r.cfg.MaxTurns
	case end.reason == trace.StopInterrupted:
		count[trace.ShortStopped] = max(1, count[trace.ShortStopped])
	case len(r.read) == 0 && r.metadata.TotalLines > 0:
		count[trace.ShortNoDispatch] = 1
	}
	totals := r.ledger.Totals()
	if gate := r.cfg.Gate; gate.Mode != GateOff && r.ledger.Fraction() < gate.Coverage {
		count[trace.ShortCoverage] = max(1, len(r.ledger.Uncovered()))
	}
	var out []trace.Shortfall
	for _, code := range trace.ShortfallCodes() {
		if count[code] == 0 {
			continue
		}
		s := trace.Shortfall{Code: code, Count: count[code], Lines: r.ledger.Unanswered(prompts[code]...)}
		switch code {
		case trace.ShortNoDispatch:
			s.Lines = totals.LinesTotal
		case trace.ShortCoverage:
			s.Lines = totals.LinesTotal - totals.LinesJudged
		}
		out = append(out, s)
	}
	return out
}

// Complete says whether nothing that was asked for is missing.
func Complete(all []trace.Shortfall) bool {
	return !slices.ContainsFunc(all, func(s trace.Shortfall) bool { return !s.Code.Bearable() })
}

// Lack books a shortfall with a result, and makes a completed one partial unless the shortfall can be borne.
func (r *Result) Lack(code trace.ShortfallCode, count, lines int) {
	if count == 0 {
		return
	}
	i := slices.IndexFunc(r.Shortfalls, func(s trace.Shortfall) bool { return s.Code == code })
	if i < 0 {
		i = len(r.Shortfalls)
		r.Shortfalls = append(r.Shortfalls, trace.Shortfall{Code: code})
	}
	r.Shortfalls[i].Count += count
	r.Shortfalls[i].Lines += lines
	if !code.Bearable() && r.Status == trace.StatusCompleted {
		r.Status = trace.StatusPartial
	}
}

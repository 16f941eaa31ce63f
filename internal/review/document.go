package review

import (
	"math"
	"sort"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// buildReport turns a result into report.json's data.
func buildReport(m Manifest, code *codebase.Codebase, res rlm.Result) report.Report {
	stats := code.Stats()
	return report.Report{
		Schema: report.Schema,
		Run:    report.Run{ID: m.ID, StartedAt: m.StartedAt, Root: m.Options.Root, Worker: m.Options.Worker},
		Repo: report.Repo{
			Path: m.Options.Path, Commit: code.Commit(), Files: stats.Files, Lines: stats.Lines, Chars: stats.Chars, Languages: stats.Languages,
		},
		Coverage: coverageOf(code, res.Coverage), Turns: res.Turns,
		Findings: res.Findings, Ungrounded: res.Ungrounded, Analysis: res.Analysis,
	}
}

// account adds how the run ended, what it did and what it cost, which is known only after the last stage.
func account(r *report.Report, res rlm.Result, seconds float64) {
	r.Run.Status, r.Run.StopReason, r.Run.DurationS = res.Status, res.StopReason, math.Round(seconds*1000)/1000
	r.Usage = report.Usage{Root: modelUsage(res.Root), Worker: modelUsage(res.Worker), TotalCostUSD: dollars(res.TotalCost())}
	r.Dispatches = res.Metrics.Dispatches
	r.Errors = report.ErrorTally{Cell: res.Metrics.CellErrors, Repeated: res.Metrics.RepeatedErrors, Dispatch: res.Metrics.DispatchErrors}
}

func coverageOf(code *codebase.Codebase, l *coverage.Ledger) report.Coverage {
	t := l.Totals()
	c := report.Coverage{
		FilesTotal: t.FilesTotal, FilesDispatched: t.FilesDispatched, LinesTotal: t.LinesTotal, LinesDispatched: t.LinesDispatched,
		Fraction: l.Fraction(), Skipped: []report.Skip{},
	}
	for _, s := range code.Skipped() {
		c.Skipped = append(c.Skipped, report.Skip{Path: s.Path, Why: s.Why})
	}
	return c
}

func modelUsage(u rlm.RoleUsage) report.ModelUsage {
	mu := report.ModelUsage{Calls: u.Calls, InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.CachedInput}
	if u.UnknownCost == 0 {
		mu.CostUSD = dollars(&u.Cost)
	}
	return mu
}

// dollars is an amount as report.json gives it; nil stays nil, for unknown is never zero.
func dollars(u *llm.USD) *float64 {
	if u == nil {
		return nil
	}
	d := float64(*u) / float64(llm.Dollar)
	return &d
}

// fileCoverage lists the state of every file, for the map of the HTML report.
func fileCoverage(code *codebase.Codebase, l *coverage.Ledger) []report.FileCoverage {
	var files []report.FileCoverage
	for _, f := range l.Files() {
		fc := report.FileCoverage{Path: f.Path, Lines: f.Lines, Dispatched: f.Dispatched}
		if info, ok := code.File(f.Path); ok {
			fc.Language = info.Language
		}
		files = append(files, fc)
	}
	return files
}

// coveredLines is coverage.json: every file of the codebase with the lines of it that reached a worker.
func coveredLines(code *codebase.Codebase, l *coverage.Ledger) coverage.Record {
	rec := coverage.Record{Schema: coverage.RecordSchema, Files: []coverage.RecordedFile{}}
	for _, f := range l.Files() {
		info, _ := code.File(f.Path)
		rec.Files = append(rec.Files, coverage.RecordedFile{
			Path: f.Path, Language: info.Language, Lines: f.Lines, Dispatched: f.Dispatched, Ranges: f.DispatchedRanges, SHA256: info.Hash,
		})
	}
	return rec
}

// Longest texts of a dispatch that a report shows; the whole ones are in trace.jsonl.
const shownPrompt, shownReply = 1500, 3000

// turns rebuilds what happened from the trace: one entry for each reply of a root or of a child, with its cells and
// their dispatches.
func turns(events []trace.Event) []report.Turn {
	type place struct {
		node string
		turn int
	}
	byPlace := map[place]*report.Turn{}
	at := func(e trace.Event) *report.Turn {
		p := place{e.Node, e.Turn}
		if byPlace[p] == nil {
			byPlace[p] = &report.Turn{Number: e.Turn, Node: e.Node}
		}
		return byPlace[p]
	}
	latest := map[string]int{} // a call that failed and was asked again after an interruption is shown once
	for i, e := range events {
		if e.Key != "" {
			latest[e.Key] = i
		}
	}
	for i, e := range events {
		if e.Key != "" && latest[e.Key] != i {
			continue
		}
		switch e.Kind {
		case trace.KindRoot:
			t := at(e)
			t.Reasoning = joined(t.Reasoning, reasoning(e.Root))
			t.Seconds += e.Root.Seconds
			t.CostUSD = cost(e.Root.Usage)
		case trace.KindCell:
			t := at(e)
			t.Code, t.Output = joined(t.Code, e.Cell.Code), joined(t.Output, e.Cell.Output)
			if e.Cell.ErrorType != "" {
				t.Error = e.Cell.ErrorType + ": " + e.Cell.Error
			}
			if e.Cell.Stop != "" {
				t.Error = "stopped at its limit: " + e.Cell.Stop
			}
			t.Seconds += e.Cell.Seconds
		case trace.KindDispatch:
			t := at(e)
			t.Dispatches = append(t.Dispatches, report.Dispatch{
				ID: e.Key, Model: e.Dispatch.Model, Prompt: shorten(e.Dispatch.Prompt, shownPrompt), Reply: shorten(e.Dispatch.Reply, shownReply),
				Files: e.Dispatch.Files, CostUSD: cost(e.Dispatch.Usage), Cached: e.Dispatch.Cached, Error: e.Dispatch.Error,
				Seconds: e.Dispatch.Seconds,
			})
		}
	}
	list := make([]report.Turn, 0, len(byPlace))
	for _, t := range byPlace {
		sort.SliceStable(t.Dispatches, func(i, j int) bool { return t.Dispatches[i].ID < t.Dispatches[j].ID })
		list = append(list, *t)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Node != list[j].Node {
			return list[i].Node < list[j].Node
		}
		return list[i].Number < list[j].Number
	})
	return list
}

// reasoning is what a root wrote around its cells.
func reasoning(r *trace.Root) string {
	parts := []string{r.Reasoning}
	if len(r.ToolCalls) > 0 || r.Synthesis {
		parts = append(parts, r.Text)
	} else {
		parts = append(parts, rlm.WithoutCells(r.Text))
	}
	return joined(parts...)
}

func joined(parts ...string) string {
	var full []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			full = append(full, p)
		}
	}
	return strings.Join(full, "\n\n")
}

func cost(u trace.Usage) *float64 {
	if u.CostPico == nil {
		return nil
	}
	c := llm.USD(*u.CostPico)
	return dollars(&c)
}

func shorten(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + " ..."
}

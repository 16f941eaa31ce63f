package review

import (
	"cmp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// buildReport turns a result into report.json's data. Findings that say nothing are not in the main list.
func buildReport(m Manifest, code *codebase.Codebase, res rlm.Result) runfile.Report {
	findings, hollow := finding.Sound(attributed(res.Findings))
	stats := code.Stats()
	return runfile.Report{
		Schema: report.Schema,
		Run:    runfile.ReportRun{ID: m.ID, StartedAt: m.StartedAt, Root: m.Options.Root, Worker: m.Options.Worker},
		Repo: runfile.Repo{
			Path: m.Options.Path, Commit: code.Commit(), Files: stats.Files, Lines: stats.Lines, Chars: stats.Chars, Languages: stats.Languages,
		},
		Coverage: coverageOf(code, res.Coverage), Turns: res.Turns,
		Findings: findings, Ungrounded: slices.Concat(attributed(res.Ungrounded), hollow), Dismissed: res.Dismissed, Analysis: res.Analysis,
	}
}

// attributed names the reader of each finding: a model, where it was not rules.
func attributed(fs []finding.Finding) []finding.Finding {
	out := slices.Clone(fs)
	for i := range out {
		out[i].Reader = cmp.Or(out[i].Reader, runfile.ReaderModel)
	}
	return out
}

// group makes one finding of those with one cause, once each has had its second look, and counts them anew.
func group(r *runfile.Report) {
	r.Findings, r.KnownFindings = finding.Group(r.Findings), finding.Group(r.KnownFindings)
	if r.Verification == nil {
		return
	}
	n := map[string]int{}
	for _, f := range r.Findings {
		if f.Verification != nil {
			n[f.Verification.Status]++
		}
	}
	sum := r.Verification
	sum.Stands, sum.Partly, sum.ByDesign, sum.Unsure, sum.Unverified = n[finding.Stands], n[finding.Partly], n[finding.ByDesign],
		n[finding.Unsure], n[finding.Unverified]
}

// account adds how the run ended, what it did and what it cost, which is known only after the last stage.
func account(r *runfile.Report, res rlm.Result) {
	r.Run.Status, r.Run.StopReason = res.Status, res.StopReason
	r.Run.Shortfalls = report.Shortfalls(res.Shortfalls)
	r.Usage = runfile.ReportUsage{Root: modelUsage(res.Root), Worker: modelUsage(res.Worker), TotalCostUSD: dollars(res.TotalCost()),
		AtMostUSD: dollars(res.AtMost())}
	r.Dispatches = res.Metrics.Dispatches
	r.Errors = runfile.ErrorTally{Cell: res.Metrics.CellErrors, Repeated: res.Metrics.RepeatedErrors, Dispatch: res.Metrics.DispatchErrors}
}

func coverageOf(code *codebase.Codebase, l *coverage.Ledger) runfile.ReportCoverage {
	t := l.Totals()
	c := runfile.ReportCoverage{
		FilesTotal: t.FilesTotal, FilesDispatched: t.FilesDispatched, LinesTotal: t.LinesTotal, LinesDispatched: t.LinesDispatched,
		LinesAnswered: t.LinesAnswered, LinesJudged: t.LinesJudged, Fraction: l.Fraction(), Skipped: []runfile.Skip{},
	}
	for _, s := range code.Skipped() {
		c.Skipped = append(c.Skipped, runfile.Skip{Path: s.Path, Why: s.Why, Source: s.Source, By: s.By})
	}
	return c
}

func modelUsage(u rlm.RoleUsage) runfile.ModelUsage {
	mu := runfile.ModelUsage{Calls: u.Calls, InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.CachedInput}
	if u.UnknownCost == 0 {
		mu.CostUSD = dollars(&u.Cost)
	}
	return mu
}

// dollars is an amount as report.json gives it; nil stays nil, for unknown is never zero.
func dollars(u *money.USD) *float64 {
	if u == nil {
		return nil
	}
	return new(u.Float64())
}

// fileCoverage lists the state of every file, for report.md's list of what was not seen.
func fileCoverage(covered runfile.CoverageRecord) []report.FileCoverage {
	var files []report.FileCoverage
	for _, f := range covered.Files {
		files = append(files, report.FileCoverage{Path: f.Path, Lines: f.Lines, Answered: f.Answered})
	}
	return files
}

// coveredLines is coverage.json: every file of the codebase with the lines of it that reached a worker, and were answered.
func coveredLines(code *codebase.Codebase, l *coverage.Ledger) runfile.CoverageRecord {
	rec := runfile.CoverageRecord{Schema: coverage.RecordSchema, Files: []runfile.CoveredFile{}}
	for _, f := range l.Files() {
		info, _ := code.File(f.Path)
		rec.Files = append(rec.Files, runfile.CoveredFile{
			Path: f.Path, Language: info.Language, Lines: f.Lines, Dispatched: f.Dispatched, Ranges: f.DispatchedRanges,
			Answered: f.Answered, Unanswered: f.Unanswered(), Judged: f.Judged, Unjudged: f.Unjudged(), SHA256: info.Hash,
		})
	}
	return rec
}

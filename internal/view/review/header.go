package review

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// describe reads report.json.
func (r *Run) describe(h *doc.Header) error {
	var asked struct {
		Path, Root, Worker, Strategy, Base, Since string
	}
	r.Asked(&asked)
	size := r.size()
	h.Model(asked.Root)
	h.Model(asked.Worker)
	h.Fact("codebase", asked.Path)
	h.Fact("strategy", asked.Strategy)
	h.Review = &doc.ReviewHead{Repository: doc.Clip(report.RepoName(runfile.Repo{Path: asked.Path}), 200), Commit: doc.Clip(size.Commit, 64)}
	h.Review.Change = r.change(asked.Base, asked.Since, h.Live)
	var rep struct {
		Run struct {
			Status     trace.Status
			StopReason trace.StopReason `json:"stop_reason"`
			Shortfalls []trace.Shortfall
			Worker     string
			DurationS  *float64 `json:"duration_s"`
		}
		Repo struct {
			Path, Commit string
			Files, Lines *int
		}
		Coverage struct {
			Fraction   *float64
			Dispatched int `json:"lines_dispatched"`
			Answered   int `json:"lines_answered"`
		}
		Usage struct {
			Total *float64 `json:"total_cost_usd"`
		}
		Turns, Dispatches *int
		Errors            *runfile.ErrorTally
		Findings          []struct{ Severity, Status string }
		Suppressed        []struct{}
		Known             *int
		Ungrounded        []struct{}
		Change            *struct{}
		Fixed             []struct{}
	}
	ended, err := r.Outcome(h, runfile.ReportName, &rep)
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = doc.StatusOf(rep.Run.Status), rep.Run.DurationS
	h.CostUSD, h.Score = rep.Usage.Total, rep.Coverage.Fraction
	if h.Status != doc.Broken {
		h.Ended = doc.Clip(report.StatusSentence(runfile.ReportRun{Status: rep.Run.Status, StopReason: rep.Run.StopReason}), 500)
	}
	h.Shortfalls = report.Shortfalls(rep.Run.Shortfalls)
	if h.Status == doc.Partial || h.Status == doc.Failed {
		h.Hint = r.Resume()
	}
	count := map[string]int{}
	for _, f := range rep.Findings {
		if slices.Contains(taxonomy.Severities(), f.Severity) && f.Status != runfile.PreExisting {
			count[f.Severity]++
		}
	}
	h.Headline = report.Headline(rep.Run.Status, count, len(rep.Findings), rep.Known, len(rep.Suppressed))
	if rep.Change != nil && rep.Run.Status != trace.StatusFailed {
		h.Headline = report.ChangeHeadline(count, len(rep.Findings), len(rep.Fixed))
		if c := h.Review.Change; c != nil {
			c.Counts = changeCounts(count, len(rep.Findings), len(rep.Fixed))
		}
	}
	h.Review.Severities = count
	if rep.Repo.Path != "" {
		h.Review.Repository = doc.Clip(report.RepoName(runfile.Repo{Path: rep.Repo.Path}), 200)
	}
	h.Review.Commit = cmp.Or(doc.Clip(rep.Repo.Commit, 64), h.Review.Commit)
	if c := rep.Coverage; c.Fraction != nil {
		h.Review.Reader = doc.Clip(report.Reader(runfile.ReportRun{Worker: rep.Run.Worker},
			runfile.ReportCoverage{Fraction: *c.Fraction, LinesDispatched: c.Dispatched, LinesAnswered: c.Answered}), 300)
	}
	h.Fact("ended by", string(rep.Run.StopReason))
	h.Fact("commit", rep.Repo.Commit)
	h.Number("files", rep.Repo.Files)
	h.Number("lines", rep.Repo.Lines)
	if c := rep.Coverage.Fraction; c != nil {
		h.Fact("coverage", fmt.Sprintf("%.1f%%", 100**c))
	}
	h.Number("turns", rep.Turns)
	h.Number("dispatches", rep.Dispatches)
	if e := rep.Errors; e != nil {
		h.Fact("errors", fmt.Sprintf("%d in cells (%d repeated), %d in dispatches", e.Cell, e.Repeated, e.Dispatch))
	}
	if rep.Ungrounded != nil {
		h.Fact("ungrounded", fmt.Sprint(len(rep.Ungrounded)))
	}
	return nil
}

// change is what the run says at its beginning of the change that it reviews; nil where it reviews a whole codebase.
func (r *Run) change(base, since string, live bool) *doc.ChangeHead {
	if base == "" {
		return nil
	}
	if filepath.IsAbs(base) {
		since, base = cmp.Or(since, filepath.Base(base)), ""
	}
	return &doc.ChangeHead{Base: report.BaseName(&runfile.Change{Since: since, Base: base}),
		Reviewing: live && r.Exists(runfile.BeforeName) && !r.Has(path.Join(runfile.BeforeName, runfile.ReportName))}
}

// changeCounts tells findings apart; fresh counts the new ones by severity.
func changeCounts(fresh map[string]int, all, fixed int) *doc.ChangeCounts {
	c := doc.ChangeCounts{Fixed: fixed}
	for _, n := range fresh {
		c.New += n
	}
	c.Before = all - c.New
	return &c
}

// size is what the run says of its codebase at its beginning.
func (r *Run) size() runfile.Size {
	var s runfile.Size
	dir.Fill(r.Manifest.Size, &s)
	return s
}

// soFar says of a review without a report what its trace tells: how far it has come, what it cost.
func (r *Run) soFar(h *doc.Header) {
	if r.Has(runfile.ReportName) {
		return
	}
	s, err := r.trace().Refresh()
	if err != nil || s.Empty() {
		return
	}
	p, cost := s.SoFar()
	if cost != nil {
		h.CostUSD = cost
	}
	h.Headline = fmt.Sprintf("%s, %d dispatches so far", doc.Plural(p.Turns, "turn"), p.Dispatches)
	if p.Failed > 0 {
		h.Headline += fmt.Sprintf(", %d of them failed", p.Failed)
	}
	h.Fact("turns", fmt.Sprint(p.Turns))
	h.Fact("dispatches", fmt.Sprint(p.Dispatches))
	if h.Review != nil {
		p.Lines, p.Of = r.claimed(s).lines(), r.size().Lines
		h.Review.Progress = &p
	}
}

package bench

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// States of a Review.
const (
	StateDone    = "done"    // it came to its end: an answer, or the turns used up
	StateStopped = "stopped" // interrupted, out of money, or a model that failed: its figures do not count
	StateWaiting = "waiting" // not begun
)

// Review is one review with what its figures were taken from.
type Review struct {
	runfile.BenchReview
	job      job
	findings []finding.Finding
	matching finding.Matching
	cause    error
}

// measure fills in what the run's directory holds.
func (r *Review) measure(root *os.Root, c ConfigSpec, s *subject) {
	rep, err := readReport(root, r.Dir)
	if err != nil {
		r.State = StateWaiting
		if _, err := root.Lstat(filepath.Join(r.Dir, review.ManifestName)); err == nil {
			r.State, r.Stop = StateStopped, trace.StopInterrupted
		}
		return
	}
	events, err := review.ReadTrace(root, r.Dir)
	if err != nil {
		r.State, r.Error = StateStopped, err.Error()
		return
	}
	r.State, r.Stop, r.LastWorkerTurn = StateStopped, rep.Run.StopReason, 0
	if final(rep, c, events) {
		r.State, r.Error = StateDone, ""
	}
	r.CostUSD, r.RootCostUSD, r.WorkerCostUSD = rep.Usage.TotalCostUSD, rep.Usage.Root.CostUSD, rep.Usage.Worker.CostUSD
	if r.AtMostUSD = rep.Usage.AtMostUSD; r.AtMostUSD == nil { // a report of an older version
		r.AtMostUSD = r.CostUSD
	}
	r.Dispatches, r.DispatchErrors, r.FilesDispatched = rep.Dispatches, rep.Errors.Dispatch, rep.Coverage.FilesDispatched
	r.CellErrors, r.RepeatedErrors = rep.Errors.Cell, rep.Errors.Repeated
	r.Lines, r.LinesDispatched, r.Coverage = rep.Coverage.LinesTotal, rep.Coverage.LinesDispatched, rep.Coverage.Fraction
	r.Turns, r.Answered = rep.Turns, rep.Run.StopReason == trace.StopAnswer
	simulated := c.Worker == env.WorkerSim || c.Root == env.WorkerSim
	rep.Findings, rep.Ungrounded = counted(rep, simulated)
	if s.Base != "" { // a change is judged by what it is said to bring in
		rep.Findings = slices.DeleteFunc(slices.Clone(rep.Findings), func(f finding.Finding) bool { return f.Status != runfile.New })
	}
	r.Findings, r.Ungrounded, r.DurationS = len(rep.Findings), len(rep.Ungrounded), rep.Run.DurationS
	r.findings = finding.Apart(rep.Findings) // each place counts for itself
	r.conduct(c, s, events)
	if !s.Truth {
		return
	}
	truths, o := s.truths()
	r.matching = finding.Match(truths, r.findings, o)
	t := &runfile.BenchRunTruth{Total: len(truths), Found: len(r.matching.Pairs), False: len(r.matching.False),
		Decoys: len(r.matching.Decoys), Duplicates: len(r.matching.Duplicates)}
	for _, d := range s.defects {
		if deep(d) {
			t.DeepTotal++
		}
	}
	for _, p := range r.matching.Pairs {
		if deep(s.defects[p[0]]) {
			t.DeepFound++
		}
	}
	r.Truth = t
	if s.Base != "" {
		r.Change = r.changed(s, rep.Fixed)
	}
}

// counted are the findings that the figures are made of, and those without proof. A simulated reader stands for a model
// with an opinion, but words what is false as no model would: what was kept out for that is a finding here. Else the
// figures would measure how it talks.
func counted(rep runfile.Report, simulated bool) (findings, ungrounded []finding.Finding) {
	if !simulated {
		return rep.Findings, rep.Ungrounded
	}
	findings = slices.Clone(rep.Findings)
	for _, f := range rep.Ungrounded {
		if f.Grounded && f.Why == finding.Hollow {
			findings = append(findings, f)
		} else {
			ungrounded = append(ungrounded, f)
		}
	}
	return findings, ungrounded
}

// final reports a run whose figures are the configuration's own doing: an answer, turns used up, or a single reply that
// was cut at its limit. What an outage, an interruption or an empty purse ended is not.
func final(r runfile.Report, c ConfigSpec, events []trace.Event) bool {
	switch r.Run.StopReason {
	case trace.StopAnswer, trace.StopTurns:
		return true
	}
	if c.Strategy == env.StrategySingle && r.Run.Status == trace.StatusPartial {
		for _, e := range events {
			if e.Kind == trace.KindRoot && e.Root.Finish == string(llm.FinishLength) {
				return true
			}
		}
	}
	return false
}

// conduct reads out of the trace how the root went about it.
func (r *Review) conduct(c ConfigSpec, s *subject, events []trace.Event) {
	turns, files := map[int]bool{}, map[string]bool{}
	ledger := coverage.New(s.code)
	read := func(prompt string) {
		for _, f := range ledger.Dispatch(prompt) {
			files[f] = true
		}
	}
	for _, e := range events {
		switch {
		case e.Kind == trace.KindDispatch:
			if e.Node == "" {
				turns[e.Turn] = true
				r.LastWorkerTurn = max(r.LastWorkerTurn, e.Turn)
			}
			if e.Dispatch.Error == "" {
				read(e.Dispatch.Prompt)
			}
		case e.Kind == trace.KindRoot && c.Strategy == env.StrategySingle && e.Root.Error == "":
			read(e.Root.Message)
		}
	}
	r.WorkerTurns = len(turns)
	all, covered := map[string]bool{}, map[string]bool{}
	paths := s.code.Paths()
	skip := commonDepth(paths)
	for _, p := range paths {
		g := group(p, skip)
		all[g] = true
		if files[p] {
			covered[g] = true
		}
	}
	r.Groups, r.GroupsTotal = len(covered), len(all)
}

// group is the directory at the first level at which the codebase's paths part; "." is that level's own files.
func group(path string, depth int) string {
	segments := strings.Split(path, "/")
	if depth < len(segments)-1 {
		return segments[depth]
	}
	return "."
}

// commonDepth is how many leading directories all paths share.
func commonDepth(paths []string) int {
	for depth := 0; ; depth++ {
		first := ""
		for i, p := range paths {
			g := group(p, depth)
			if i == 0 {
				first = g
			}
			if g != first || g == "." {
				return depth
			}
		}
		if len(paths) == 0 {
			return 0
		}
	}
}

// fail words what kept a run from its end.
func (r *Review) fail(out review.Outcome, err error) {
	switch {
	case err != nil:
		r.Error, r.cause = err.Error(), err
	case out.Cause != nil:
		r.Error, r.cause = string(out.Report.Run.StopReason), out.Cause
	case r.Error == "":
		r.Error = string(r.Stop)
	}
	if r.State == StateWaiting {
		r.State = StateStopped
	}
}

// maxReport bounds a report that is read, in bytes.
const maxReport = 256 << 20

func readReport(root *os.Root, dir string) (runfile.Report, error) {
	f, err := bounded.OpenIn(root, filepath.Join(dir, review.ReportName+".json"), 0)
	if err != nil {
		return runfile.Report{}, err
	}
	defer f.Close()
	return report.Read(io.LimitReader(f, maxReport))
}

package bench

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// changed counts what a run found in a change; fixed are the findings that it says are mended. The run's matching is done.
func (r *Review) changed(s *subject, fixed []finding.Finding) *runfile.BenchChange {
	truths, o := s.truths()
	o.Near = -1
	exact := finding.Match(truths, r.findings, o)
	c := &runfile.BenchChange{New: len(truths), FixedTotal: len(s.fixed), Faulty: 1,
		Near:       runfile.BenchMatched{Found: len(r.matching.Pairs), False: len(r.matching.False)},
		Exact:      runfile.BenchMatched{Found: len(exact.Pairs), False: len(exact.False)},
		FixedFound: len(finding.Match(truthsOf(s.fixed), finding.Apart(fixed), finding.MatchOptions{}).Pairs)}
	if len(truths) == 0 {
		c.Faulty, c.Clean, c.CleanFindings = 0, 1, len(r.findings)
	}
	return c
}

// sumChanges adds the changes of a row up.
func (r *Row) sumChanges() {
	sum := runfile.BenchChange{}
	for _, run := range r.done() {
		c := run.Change
		if c == nil {
			continue
		}
		sum.Faulty, sum.Clean, sum.New = sum.Faulty+c.Faulty, sum.Clean+c.Clean, sum.New+c.New
		sum.CleanFindings += c.CleanFindings
		sum.Near = runfile.BenchMatched{Found: sum.Near.Found + c.Near.Found, False: sum.Near.False + c.Near.False}
		sum.Exact = runfile.BenchMatched{Found: sum.Exact.Found + c.Exact.Found, False: sum.Exact.False + c.Exact.False}
		sum.FixedTotal, sum.FixedFound = sum.FixedTotal+c.FixedTotal, sum.FixedFound+c.FixedFound
	}
	if sum.Faulty+sum.Clean > 0 {
		r.Change = &sum
	}
}

// changeTable shows what was found in changes.
func changeTable(r Result) table {
	t := table{Title: "Changes", Head: []string{"Metric", "Faulty and clean changes", "Defects brought in", "Recall, within 3 lines",
		"Precision, within 3 lines", "Recall, lines overlap", "Precision, lines overlap", "New findings a clean change", "Fixes seen"}}
	for _, row := range r.Rows {
		c := row.Change
		if c == nil {
			continue
		}
		recall := func(m runfile.BenchMatched) string { return share(ratio(m.Found, c.New)) }
		precision := func(m runfile.BenchMatched) string { return share(ratio(m.Found, m.Found+m.False)) }
		clean := "N/A"
		if c.Clean > 0 {
			clean = fmt.Sprintf("%.2f (%d in %d)", float64(c.CleanFindings)/float64(c.Clean), c.CleanFindings, c.Clean)
		}
		t.Rows = append(t.Rows, []string{row.Config, fmt.Sprintf("%d and %d", c.Faulty, c.Clean), whole(c.New), recall(c.Near), precision(c.Near),
			recall(c.Exact), precision(c.Exact), clean, fmt.Sprintf("%d of %d", c.FixedFound, c.FixedTotal)})
	}
	if len(t.Rows) == 0 {
		return t
	}
	t.Notes = []string{"Of a change, only the findings that are called new count, here and above; a finding has to be of the defect's kind."}
	return turned(t)
}

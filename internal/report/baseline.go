package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// MaxReportBytes is the size of the largest report.json that Read accepts.
const MaxReportBytes = 64 << 20

// ReadError says why a file is not a report.json.
type ReadError struct {
	Why  string
	hint string
	err  error
}

func (e *ReadError) Error() string { return "read report: " + e.Why }
func (e *ReadError) Unwrap() error { return e.err }

// Hint says what to give instead.
func (e *ReadError) Hint() string { return e.hint }

// Read reads a report.json. Its contents are treated as a stranger's data: its size is bounded, severities outside the
// vocabulary become "medium", lines below zero 0. Faults in it are a *ReadError.
func Read(r io.Reader) (runfile.Report, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxReportBytes+1))
	if err != nil {
		return runfile.Report{}, fmt.Errorf("read report: %w", err)
	}
	const wanted = "give the report.json of an earlier run"
	if len(data) > MaxReportBytes {
		return runfile.Report{}, &ReadError{Why: fmt.Sprintf("it is larger than %d MiB", MaxReportBytes>>20), hint: wanted}
	}
	var rep runfile.Report
	if err := bounded.Unmarshal(data, &rep); err != nil {
		return runfile.Report{}, &ReadError{Why: describe(err), hint: wanted, err: err}
	}
	switch {
	case rep.Schema == 0:
		return runfile.Report{}, &ReadError{Why: `it has no "schema"`, hint: wanted}
	case rep.Schema != Schema:
		return runfile.Report{}, &ReadError{Why: fmt.Sprintf("its schema is %d, and this version reads %d", rep.Schema, Schema),
			hint: "run the review again with this version"}
	}
	if c := &rep.Coverage; c.LinesAnswered == 0 && c.Fraction > 0 { // of a version that counted what was sent
		c.LinesAnswered, c.LinesJudged = c.LinesDispatched, c.LinesDispatched
	}
	return normal(rep), nil
}

func describe(err error) string {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("it is not JSON at byte %d: %s", syntax.Offset, termtext.Inline(syntax.Error()))
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%q should be a %s, not a %s", termtext.Inline(wrong.Field), wrong.Type, termtext.Inline(wrong.Value))
	}
	if crowded, ok := errors.AsType[*bounded.CrowdedError](err); ok {
		return crowded.Error()
	}
	return "it is not JSON: " + termtext.Inline(err.Error())
}

// Baseline is the report now without the findings that the report old has, as [finding.Persisting] knows them again. Findings
// suppressed then are known too, and each place of a finding stands for itself: an old one hides no new place. So the
// result's findings have one place each. Known counts what was left out.
func Baseline(old, now runfile.Report) runfile.Report {
	now.Findings = finding.Apart(now.Findings)
	was := finding.Persisting(known(old), now.Findings)
	fresh := []finding.Finding{}
	for i, f := range now.Findings {
		if was[i] < 0 {
			fresh = append(fresh, f)
		} else {
			now.KnownFindings = append(now.KnownFindings, f)
		}
	}
	n := len(now.Findings) - len(fresh)
	if now.Known != nil {
		n += *now.Known
	}
	now.Known = &n
	now.Findings = fresh
	return now
}

// known are the findings of a report, those that were suppressed included, one for each place.
func known(r runfile.Report) []finding.Finding {
	all := finding.Apart(r.Findings)
	for _, s := range r.Suppressed {
		all = append(all, finding.Apart([]finding.Finding{s.Finding})...)
	}
	return all
}

// FailOn reports whether r holds a finding of this severity or worse. An empty or unknown severity never fails.
// Unless refutations are trusted, findings that a model refuted or dismissed count, and those that it graded lower count as
// they were claimed; what the code itself contradicts does not count. What a change itself sets aside counts.
func FailOn(r runfile.Report, severity string, trustRefutations bool) bool {
	return failOn(r, severity, trustRefutations, func(finding.Finding) bool { return true })
}

// FailOnNew is FailOn for what a change brought in. What an older report of the same change has counts, too: it was said, and is
// still there.
func FailOnNew(r runfile.Report, severity string, trustRefutations bool) bool {
	r.Findings = append(slices.Clone(r.Findings), r.KnownFindings...)
	return failOn(r, severity, trustRefutations, func(f finding.Finding) bool { return f.Status != runfile.PreExisting })
}

func failOn(r runfile.Report, severity string, trustRefutations bool, counts func(finding.Finding) bool) bool {
	limit := taxonomy.Rank(severity)
	if limit == 0 {
		return false
	}
	severe := func(f finding.Finding) bool {
		lowered := f.Regraded != nil && !trustRefutations
		return counts(f) && (taxonomy.Rank(f.Severity) >= limit || lowered && taxonomy.Rank(f.Regraded.From) >= limit)
	}
	found := slices.ContainsFunc(r.Findings, severe) || slices.ContainsFunc(setAsideByChange(r), severe)
	if found || trustRefutations {
		return found
	}
	return slices.ContainsFunc(r.Dismissed, func(d runfile.Dismissed) bool { return severe(d.Finding) }) ||
		slices.ContainsFunc(r.Refuted, func(f runfile.Refuted) bool {
			return severe(f.Finding) && (f.Verification == nil || f.Verification.By != finding.ByCheck)
		})
}

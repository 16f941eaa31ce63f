package change

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// nearby is how far from a changed line code is taken to be touched where no code graph says what holds it.
const nearby = 5

// Judge says of each finding of a report on the head whether the change brought it in, and adds those that it fixed. before is
// the report on the base, nil where there is none. What is set aside now and was not in that report is ByChange, unless a comment
// does that which the base has beside the same code. A static rule says the same of the same code, so what it finds on one side
// only is new or fixed. A model does not: its finding is new where the base's review has not made it and the change touched
// the code, and fixed where that code was changed.
func (c Change) Judge(now, before *runfile.Report, around Surroundings) {
	j := judgement{Change: c, around: around, read: before != nil && before.Run.Status == trace.StatusCompleted}
	var old, hidden []finding.Finding // of the base: listed, and set aside by what its own side says
	if before != nil {
		old = finding.Apart(before.Findings)
		for _, s := range before.Suppressed {
			hidden = append(hidden, finding.Apart([]finding.Finding{s.Finding})...)
		}
	}
	findings, known := finding.Apart(now.Findings), finding.Apart(now.KnownFindings)
	all := slices.Concat(findings, known)
	aside := len(all)
	now.Suppressed, now.Dismissed, now.Refuted = slices.Clone(now.Suppressed), slices.Clone(now.Dismissed), slices.Clone(now.Refuted)
	var rest []*finding.Finding // what is set aside is new or was there as well
	for i := range now.Suppressed {
		rest = append(rest, &now.Suppressed[i].Finding)
	}
	for i := range now.Dismissed {
		rest = append(rest, &now.Dismissed[i].Finding)
	}
	for i := range now.Refuted {
		rest = append(rest, &now.Refuted[i].Finding)
	}
	for _, f := range rest {
		all = append(all, *f)
	}
	still := make([]bool, len(old))
	stood := c.forward(slices.Concat(old, hidden))
	for i, k := range finding.Persisting(stood, all) {
		switch {
		case k >= 0 && k < len(old):
			still[k] = true
		case k >= 0 && i < aside && stood[k].Fingerprint != all[i].Fingerprint:
			k = -1 // that it is like one that was set aside does not make it known
		}
		if set := i - aside; set >= 0 && set < len(now.Suppressed) {
			now.Suppressed[set].ByChange = k < len(old)
		}
		all[i].Status = runfile.PreExisting
		if k < 0 && j.brought(all[i]) {
			all[i].Status = runfile.New
		}
	}
	for i, f := range rest {
		f.Status = all[aside+i].Status
	}
	for i := range now.Suppressed {
		if s := &now.Suppressed[i]; s.By == "comment" && c.untouched(s.File, s.Line-1, s.EndLine) {
			s.ByChange = false // it stands there in the base, beside the same code
		}
	}
	now.Findings = grouped(all[:len(findings)])
	now.KnownFindings = grouped(all[len(findings):aside])
	now.Fixed = nil
	for k, f := range old {
		if !still[k] && j.mended(f, now.Run.Status) {
			f.Status = runfile.Fixed
			now.Fixed = append(now.Fixed, f)
		}
	}
	now.Fixed = finding.Group(now.Fixed)
}

// untouched says that lines of the head stand in the base as well.
func (c Change) untouched(path string, from, to int) bool {
	file, changed := c.At(path)
	return !changed || file.Kind != runfile.Added && !file.Changed(from, to)
}

// grouped groups by cause what has one status.
func grouped(fs []finding.Finding) []finding.Finding {
	var fresh, rest []finding.Finding
	for _, f := range fs {
		if f.Status == runfile.New {
			fresh = append(fresh, f)
		} else {
			rest = append(rest, f)
		}
	}
	all := slices.Concat(finding.Group(fresh), finding.Group(rest))
	finding.Sort(all)
	return all
}

// forward puts findings of the base to where their code stands in the head, as far as it still stands there.
func (c Change) forward(fs []finding.Finding) []finding.Finding {
	moved := slices.Clone(fs)
	for i := range moved {
		f := &moved[i]
		file, ok := c.Before(f.File)
		if !ok || file.Kind == runfile.Deleted {
			continue
		}
		f.File = file.Path
		by := file.Shift(f.Line)
		f.Line, f.EndLine = f.Line+by, f.EndLine+by
	}
	return moved
}

type judgement struct {
	Change
	around Surroundings
	read   bool // the base was reviewed to its end
}

// brought says whether a finding that the base's review has not made came with the change.
func (j judgement) brought(f finding.Finding) bool {
	file, changed := j.At(f.File)
	if f.Reader == runfile.ReaderRules && j.read {
		return changed
	}
	if changed && (file.Kind == runfile.Added || file.Changed(f.Line, f.EndLine)) || j.around.Holds(f.File, f.Line, f.EndLine) {
		return true
	}
	for _, step := range f.Path {
		if at, ok := j.At(step.File); ok && (at.Kind == runfile.Added || at.Changed(step.Line, step.Line)) {
			return true
		}
	}
	return changed && len(j.around.spans[f.File]) == 0 && file.Changed(f.Line-nearby, f.EndLine+nearby)
}

// mended says whether a finding of the base that the head's review has not made is gone because of the change.
func (j judgement) mended(f finding.Finding, now trace.Status) bool {
	file, changed := j.Before(f.File)
	switch {
	case !changed:
		return false
	case file.Kind == runfile.Deleted:
		return true
	case slices.Contains(j.Hidden, file.Path):
		return false
	case file.WasChanged(f.Line, f.EndLine):
		return true
	}
	return now == trace.StatusCompleted && (f.Reader == runfile.ReaderRules || file.WasChanged(f.Line-nearby, f.EndLine+nearby))
}

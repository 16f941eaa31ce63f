package judgement

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// claim is one grounded claim.
type claim struct {
	finding.Finding
	at place
}

// entry is an open finding with the claims that made it, the strongest first.
type entry struct {
	finding.Finding
	of []place
}

// gone is a dismissed finding with the claims that made it, those of later repeats behind them.
type gone struct {
	runfile.Dismissed
	of []place
}

// walk is what claims and judgements come to, taken one after the other.
type walk struct {
	last       string // key of what was taken last
	claims     map[place]finding.Finding
	open       []claim
	settled    bool    // entries hold all that is open
	entries    []entry // in report order
	applied    []judgement
	dismissed  []gone
	refused    map[string][]refused // by file
	ungrounded []finding.Finding
}

// refused is a claim that the dismissal of that number took back.
type refused struct {
	finding.Finding
	by int
}

func newWalk() *walk {
	return &walk{claims: map[place]finding.Finding{}, refused: map[string][]refused{}}
}

// claim takes the claims of one call. What says the same of the same code as a dismissed claim follows it, for workers repeat
// themselves; what the root claims itself stands.
func (w *walk) claim(key string, c Claims) {
	w.last = key
	w.ungrounded = append(w.ungrounded, c.Ungrounded...)
	for n, f := range c.Grounded {
		at := place{key, n}
		w.claims[at] = f
		if i := w.repeats(f); i >= 0 && !c.Own {
			w.join(i, f, at)
			continue
		}
		w.open, w.settled = append(w.open, claim{f, at}), false
	}
}

// repeats is the number of the dismissal that a claim repeats, -1 where there is none.
func (w *walk) repeats(f finding.Finding) int {
	for _, r := range w.refused[f.File] {
		if finding.Same(r.Finding, f) && (finding.SameEvidence(r.Finding, f) || finding.SimilarTitles(r.Title, f.Title)) {
			return r.by
		}
	}
	return -1
}

// join adds a repeated claim to the dismissed finding.
func (w *walk) join(i int, f finding.Finding, at place) {
	d := &w.dismissed[i]
	d.of = append(d.of, at)
	d.Sources = slices.Concat(d.Sources, f.Sources)
	slices.Sort(d.Sources)
	d.Sources = slices.Compact(d.Sources)
}

// judge takes a judgement. What it is said of may be dismissed by now.
func (w *walk) judge(j judgement) {
	w.last = j.key
	w.settle()
	if j.kind != dismissal {
		w.applied = append(w.applied, j)
		w.apply(j)
		return
	}
	i := w.index(j.of[0])
	if i < 0 {
		return
	}
	e := w.entries[i]
	for _, at := range e.of {
		f := w.claims[at]
		w.refused[f.File] = append(w.refused[f.File], refused{f, len(w.dismissed)})
	}
	w.dismissed = append(w.dismissed, gone{runfile.Dismissed{Finding: e.Finding, Reason: j.reason, By: j.by}, slices.Clone(e.of)})
	w.applied = append(w.applied, j)
	w.open = slices.DeleteFunc(w.open, func(c claim) bool { return slices.Contains(e.of, c.at) })
	w.entries = slices.Delete(w.entries, i, i+1)
}

// settle merges what is open and says of it again what was said before.
func (w *walk) settle() {
	if w.settled {
		return
	}
	w.settled = true
	w.entries = w.merged(w.open)
	for _, j := range w.applied {
		w.apply(j)
	}
}

// merged makes findings of claims, in report order.
func (w *walk) merged(claims []claim) []entry {
	taken := map[string]bool{}
	for _, d := range w.dismissed {
		taken[d.ID] = true
	}
	all := make([]finding.Finding, len(claims))
	for i, c := range claims {
		all[i] = c.Finding
	}
	merged, from := finding.MergeTracked(all, func(id string) bool { return taken[id] })
	entries := make([]entry, len(merged))
	for i, f := range merged {
		entries[i].Finding = f
		for _, k := range from[i] {
			entries[i].of = append(entries[i].of, claims[k].at)
		}
	}
	return entries
}

// holding is the finding that an open claim is part of, of the claims of its file alone.
func (w *walk) holding(at place) (entry, bool) {
	file := w.claims[at].File
	var claims []claim
	for _, c := range w.open {
		if c.File == file {
			claims = append(claims, c)
		}
	}
	for _, e := range w.merged(claims) {
		if slices.Contains(e.of, at) {
			return e, true
		}
	}
	return entry{}, false
}

// index is the number of the open finding that a claim is part of, -1 where it was dismissed.
func (w *walk) index(at place) int {
	return slices.IndexFunc(w.entries, func(e entry) bool { return slices.Contains(e.of, at) })
}

// refusal is the number of the dismissed finding that a claim is part of, -1 where it is open.
func (w *walk) refusal(at place) int {
	return slices.IndexFunc(w.dismissed, func(d gone) bool { return slices.Contains(d.of, at) })
}

// apply changes the open findings as a judgement says.
func (w *walk) apply(j judgement) {
	var of []int
	for _, at := range j.of {
		if i := w.index(at); i >= 0 && !slices.Contains(of, i) {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return
	}
	e := &w.entries[of[0]]
	switch j.kind {
	case regrading:
		from := e.Severity
		if e.Regraded != nil {
			from = e.Regraded.From
		}
		e.Regraded = &runfile.Regraded{From: from, Reason: j.reason, By: j.by}
		e.Severity = j.severity
	case verification:
		v := j.verdict
		e.Verification = &v
	case merging:
		var together []finding.Finding
		var one entry
		for _, i := range of {
			together = append(together, w.entries[i].Finding)
			one.of = append(one.of, w.entries[i].of...)
		}
		if one.Finding = finding.Join(together); j.title != "" {
			one.Title = j.title
		}
		slices.Sort(of)
		for _, i := range slices.Backward(of) {
			w.entries = slices.Delete(w.entries, i, i+1)
		}
		w.entries = append(w.entries, one)
	}
}

// state is a copy of what there is.
func (w *walk) state() State {
	s := State{Ungrounded: distinct(w.ungrounded)}
	for _, d := range w.dismissed {
		s.Dismissed = append(s.Dismissed, d.Dismissed)
	}
	for _, e := range w.entries {
		s.Findings = append(s.Findings, e.Finding)
	}
	finding.Sort(s.Findings)
	return s
}

// distinct drops claims that were made before to the letter: small models repeat themselves.
func distinct(claims []finding.Finding) []finding.Finding {
	seen := map[[3]string]bool{}
	var kept []finding.Finding
	for _, c := range claims {
		if key := [3]string{c.File, c.Title, c.Evidence}; !seen[key] {
			seen[key] = true
			kept = append(kept, c)
		}
	}
	return kept
}

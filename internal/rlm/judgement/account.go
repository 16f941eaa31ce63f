package judgement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Account is all that is known of one finding.
type Account struct {
	Finding   finding.Finding
	Dismissed *runfile.Dismissed // nil while it is open
	Claims    []Claim            // that made it, the strongest first
	History   []string           // what was made of it, a line each, in order
}

// Claim is a claim as it was made in the call under a key.
type Claim struct {
	finding.Finding
	Key string
	Own bool // the root's
}

// About is what is known of the finding that an ID, or its first digits, stand for, also of a dismissed one.
func (b *Book) About(id string) (Account, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.now()
	i, gone, err := b.lookup(w, id)
	if err != nil {
		return Account{}, err
	}
	var a Account
	var of []place
	if i >= 0 {
		b.told(&w.entries[i])
		a.Finding, of = w.entries[i].Finding, w.entries[i].of
	} else {
		d := w.dismissed[gone]
		a.Finding, a.Dismissed, of = d.Finding, &d.Dismissed, d.of
	}
	for _, at := range of {
		a.Claims = append(a.Claims, Claim{w.claims[at], at.key, b.claims[at.key].Own})
	}
	for _, j := range w.applied {
		if slices.ContainsFunc(j.of, func(at place) bool { return slices.Contains(of, at) }) {
			a.History = append(a.History, j.key+" "+w.tell(j))
		}
	}
	return a, nil
}

// tell says in a line what a judgement made of findings.
func (w *walk) tell(j judgement) string {
	switch j.kind {
	case dismissal:
		return fmt.Sprintf("dismissed by %s: %s", j.by, j.reason)
	case regrading:
		return fmt.Sprintf("now %s, by %s: %s", j.severity, j.by, j.reason)
	case verification:
		return fmt.Sprintf("verdict %s, by %s: %s", j.verdict.Status, j.verdict.By, j.verdict.Reason)
	}
	var parts []string
	for _, at := range j.of {
		f := w.claims[at]
		parts = append(parts, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Title))
	}
	return fmt.Sprintf("merged %d findings: %s", len(j.of), strings.Join(parts, " + "))
}

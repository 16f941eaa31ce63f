package review

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

const (
	maxClaimsShown = 200      // once those of one defect are one
	maxPace        = 64 << 20 // bytes of dispatches that are read for one answer: the next one goes on
)

// Claims are what workers have claimed of a review that has no report yet, nothing of it checked: the document "claims".
type Claims struct {
	Findings []Finding `json:"findings"` // the gravest first
	More     int       `json:"more"`     // that are not listed
}

// claimed reads what has been appended to the journal.
func (r *Run) claimed(s traces.Snapshot) *claims {
	c := &r.claims
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spans == nil || s.Len() < c.seen { // or the journal was begun again
		c.seen, c.all, c.spans, c.pieces = 0, nil, map[string][][2]int{}, 0
	}
	c.seen = s.Answered(c.seen, maxPace, c.add)
	return c
}

// claimsSoFar answers "claims".
func (r *Run) claimsSoFar(rest string) (any, error) {
	if rest != "" {
		return nil, doc.NotFound("there is no %q below claims", doc.Clip(rest, 80))
	}
	s, err := r.trace().Refresh()
	if err != nil {
		return nil, err
	}
	c := r.claimed(s)
	c.mu.Lock()
	all := slices.Clone(c.all)
	c.mu.Unlock()
	all = finding.Merge(all)
	finding.Sort(all)
	out := Claims{Findings: []Finding{}, More: max(0, len(all)-maxClaimsShown)}
	taken := map[string]bool{}
	for i, f := range all[:min(len(all), maxClaimsShown)] {
		out.Findings = append(out.Findings, shownFinding(f, uniqueID(f.ID, "c", i, taken)))
	}
	return out, nil
}

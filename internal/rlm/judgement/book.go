package judgement

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Claims is what one dispatch, or one add_finding, yielded.
type Claims struct {
	Grounded, Ungrounded []finding.Finding
	Own                  bool // the root's own: it may take back its dismissal
}

// State is what a run has found.
type State struct {
	Findings   []finding.Finding // grounded and merged, worst first
	Ungrounded []finding.Finding
	Dismissed  []runfile.Dismissed
}

// Book is safe for concurrent use. The zero value is ready.
type Book struct {
	mu     sync.Mutex
	claims map[string]Claims
	judged []judgement
	seen   map[string]finding.Finding // by ID, as they were when the root was told of them
}

// Claim books what came of the call under key, once: a second time replaces the first.
func (b *Book) Claim(key string, c Claims) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.claims == nil {
		b.claims = map[string]Claims{}
	}
	b.claims[key] = c
}

// State is what there is now.
func (b *Book) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state()
}

// Show is the state for a root to see: the findings' IDs are known from then on, even where later claims change them.
func (b *Book) Show() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.show()
}

func (b *Book) show() State {
	s := b.state()
	if b.seen == nil {
		b.seen = map[string]finding.Finding{}
	}
	for _, f := range s.Findings {
		b.seen[f.ID] = f
	}
	return s
}

func (b *Book) state() State {
	slices.SortStableFunc(b.judged, func(x, y judgement) int { return strings.Compare(x.key, y.key) })
	var s State
	var open []finding.Finding
	dismissed := make([][]finding.Finding, len(b.judged))
	for _, key := range slices.Sorted(maps.Keys(b.claims)) {
		c := b.claims[key]
		s.Ungrounded = append(s.Ungrounded, c.Ungrounded...)
		for _, f := range c.Grounded {
			if i := b.dismissal(key, c.Own, f); i >= 0 {
				dismissed[i] = append(dismissed[i], f)
			} else {
				open = append(open, f)
			}
		}
	}
	s.Findings, s.Ungrounded = finding.Merge(open), distinct(s.Ungrounded)
	for i, j := range b.judged {
		switch {
		case j.kind == dismissal:
			for _, f := range finding.Merge(dismissed[i]) {
				s.Dismissed = append(s.Dismissed, runfile.Dismissed{Finding: f, Reason: j.reason, By: j.by})
			}
		default:
			s.Findings = j.apply(s.Findings)
		}
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

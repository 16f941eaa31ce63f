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
	seen   map[string]place // what each ID stood for when a root was last told of it
	walked *walk            // through all that is booked; nil when that came in out of order
}

// place names one claim: the key of its call, and its number there. Findings come and go as claims join them; the claim that
// made one stays.
type place struct {
	key string
	n   int
}

// Claim books what came of the call under key, once: a second time replaces the first.
func (b *Book) Claim(key string, c Claims) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.claims == nil {
		b.claims = map[string]Claims{}
	}
	_, known := b.claims[key]
	b.claims[key] = c
	switch {
	case b.walked == nil:
	case known || key <= b.walked.last:
		b.walked = nil
	default:
		b.walked.claim(key, c)
	}
}

// Undo takes back what a root claimed and judged in the calls of a cell. What its workers claimed stands.
func (b *Book) Undo(cell string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := func(key string) bool { return strings.HasPrefix(key, cell+".") }
	maps.DeleteFunc(b.claims, func(key string, c Claims) bool { return c.Own && of(key) })
	b.judged = slices.DeleteFunc(b.judged, func(j judgement) bool { return of(j.key) })
	b.walked = nil
}

// State is what there is now.
func (b *Book) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now().state()
}

// Show is the state for a root to see: the findings' IDs are known from then on, even where later claims change them.
func (b *Book) Show() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.now()
	for i := range w.entries {
		b.told(&w.entries[i])
	}
	s := w.state()
	for i := range s.Findings {
		s.Findings[i].Fingerprint = "" // for later reviews; a root reads enough as it is
	}
	return s
}

// Holding is the open finding that the first claim of a call is part of; false where there is none. It looks at one file only,
// and so costs little however many claims there are; what was judged is left out.
func (b *Book) Holding(key string) (finding.Finding, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := b.walk().holding(place{key, 0})
	if ok {
		b.told(&e)
	}
	return e.Finding, ok
}

// told notes that a root was told of a finding.
func (b *Book) told(e *entry) {
	if b.seen == nil {
		b.seen = map[string]place{}
	}
	b.seen[e.ID] = e.of[0]
}

// now is the walk with all that is open merged.
func (b *Book) now() *walk {
	w := b.walk()
	w.settle()
	return w
}

// walk is the walk through everything that is booked, in the order of the keys.
func (b *Book) walk() *walk {
	if b.walked == nil {
		w := newWalk()
		slices.SortStableFunc(b.judged, func(x, y judgement) int { return strings.Compare(x.key, y.key) })
		keys, judged := slices.Sorted(maps.Keys(b.claims)), b.judged
		for len(keys) > 0 || len(judged) > 0 {
			if len(judged) == 0 || len(keys) > 0 && keys[0] <= judged[0].key {
				w.claim(keys[0], b.claims[keys[0]])
				keys = keys[1:]
			} else {
				w.judge(judged[0])
				judged = judged[1:]
			}
		}
		b.walked = w
	}
	return b.walked
}

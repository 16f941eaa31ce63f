package traces

import (
	"iter"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/view/cursor"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// DispatchPlace is where a dispatch stands in the trace.
type DispatchPlace struct {
	Turn int `json:"turn"` // seq of the reply that it belongs to; 0 for none, as of a second look's
	Seq  int `json:"seq"`
}

// Places finds dispatches by their keys. Of several with one key the last one counts: those before it failed.
func (s Snapshot) Places(wanted map[string]bool, found map[string]DispatchPlace) {
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return
	}
	defer f.Close()
	var room [1 << 10]byte // the key stands in front of the dispatch
	for i := s.len() - 1; i >= 0 && len(found) < len(wanted); i-- {
		if s.kind[i] != 'd' {
			continue
		}
		text := room[:min(int(s.size[i]), len(room))]
		if _, err := f.ReadAt(text, s.begin[i]); err != nil {
			return
		}
		c := cursor.Cursor{Text: text}
		for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
			if string(name) != "key" {
				c.Skip()
				continue
			}
			key := string(c.Words())
			if _, known := found[key]; wanted[key] && !known {
				found[key] = DispatchPlace{Turn: s.owner(i) + 1, Seq: i + 1}
			}
			break
		}
	}
}

// SoFar is how many turns the run's own loop has come to, how many dispatches there are and how many of them failed, and what
// all calls cost in dollars, nil where a price is unknown.
func (s Snapshot) SoFar() (p doc.Progress, cost *float64) {
	known, sum := true, money.USD(0)
	for i, kind := range s.kind {
		switch {
		case kind == 'r' && s.node[i] == 0:
			p.Turns = max(p.Turns, int(s.turn[i]))
		case kind == 'd':
			p.Dispatches++
			if s.flags[i]&flagError != 0 {
				p.Failed++
			}
		}
		known = known && s.cost[i] >= 0 // unpriced is less
		sum += min(money.USD(max(0, s.cost[i])), money.MaxUSD-sum)
	}
	if known {
		cost = new(sum.Float64())
	}
	return p, cost
}

// Empty reports a trace without events.
func (s Snapshot) Empty() bool { return s.len() == 0 }

// All are the numbers of the events with the letters of their kinds: see [Trace].
func (s Snapshot) All() iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i, letter := range s.kind {
			if !yield(i+1, letter) {
				return
			}
		}
	}
}

// DispatchBytes is how many bytes of the trace are dispatches.
func (s Snapshot) DispatchBytes() int64 {
	sum := int64(0)
	for i, kind := range s.kind {
		if kind == 'd' {
			sum += int64(s.size[i])
		}
	}
	return sum
}

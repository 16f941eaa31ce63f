package ui

import (
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
)

// FleetRate is how fast a fleet was at a time, by the hub's clock.
type FleetRate struct {
	At time.Time `json:"at"`
	// PerSecond is null where nobody looked for a while.
	PerSecond *float64 `json:"per_second"`
}

// How far back rates go. A worker says what it has done every two seconds.
const (
	paceWindow = 30 * time.Second // that a worker's rate is taken over
	paceKept   = 5 * time.Minute  // of the fleet's
	paceGap    = 20 * time.Second // between looks, after which it is not known what was between
	mostRates  = 400
)

// pace knows how fast the workers of a fleet are. Only times of the hub's clock are compared. Its zero value is ready.
type pace struct {
	at      time.Time
	workers map[string][]reading
	past    []FleetRate
}

// reading is what a worker had done when it last said so.
type reading struct {
	seen time.Time
	done int64
	up   float64
}

// add takes in what a fleet does now.
func (p *pace) add(s fleet.Status) {
	if s.At.Before(p.at) { // another hub's clock
		*p = pace{}
	}
	now := map[string][]reading{}
	for _, w := range s.Workers {
		r := reading{w.Seen, w.Done, w.UpSeconds}
		past := p.workers[w.Name]
		past = slices.DeleteFunc(past, func(old reading) bool { return s.At.Sub(old.seen) > paceWindow })
		if n := len(past); n == 0 || r.seen.After(past[n-1].seen) {
			past = append(past, r)
		}
		now[w.Name] = past
	}
	p.workers = now
	if !p.at.IsZero() && s.At.Sub(p.at) > paceGap {
		p.past = append(p.past, FleetRate{At: p.at.Add(time.Second)})
	}
	if s.At.After(p.at) {
		p.past = append(p.past, FleetRate{s.At, p.all()})
	}
	p.at = s.At
	p.past = slices.DeleteFunc(p.past, func(r FleetRate) bool { return s.At.Sub(r.At) > paceKept })
	p.past = p.past[max(0, len(p.past)-mostRates):]
}

// of is how many items a worker does in a second; nil: not known.
func (p *pace) of(name string) *float64 {
	past := p.workers[name]
	if len(past) == 0 {
		return nil
	}
	first, last := past[0], past[len(past)-1]
	took := last.seen.Sub(first.seen).Seconds()
	done := last.done - first.done
	if last.up > 0 && last.up <= paceWindow.Seconds() { // all that it ever did: it may have been started again
		took, done = last.up, last.done
	}
	if took < 0.5 || done < 0 { // too short to tell
		return nil
	}
	return new(float64(done) / took)
}

// all is how many items the fleet does in a second; nil where that is known of none of its workers.
func (p *pace) all() *float64 {
	if len(p.workers) == 0 {
		return new(0.0)
	}
	var sum *float64
	for name := range p.workers {
		if rate := p.of(name); rate != nil {
			if sum == nil {
				sum = new(0.0)
			}
			*sum += *rate
		}
	}
	return sum
}

// rates are those of the last minutes.
func (p *pace) rates() []FleetRate { return append([]FleetRate{}, p.past...) }

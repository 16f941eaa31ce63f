package nano

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// errClosed is what callers of a closed sampler get.
var errClosed = errors.New("the sampler is closed")

// job is one reply to be sampled. The engine owns the result until done is closed.
type job struct {
	ctx         context.Context
	prompt      []int32 // never empty
	ends        []int32 // the tokens that end a reply
	stop        *watch  // nil: no text ends it
	limit       int     // tokens of the reply at most, at least 1
	temperature float64
	rng         *rand.Rand

	reply         []int32
	logp, entropy []float32
	ended         bool // by its last token
	cut           bool // at its limit
	err           error
	done          chan struct{}
}

// lane is one slot of the decoder: whose tokens it holds, and who is sampling in it.
type lane struct {
	held []int32 // tokens that are in the decoder's cache, in order
	job  *job    // nil: free
	used uint64  // when it was taken last, in steps of the engine
}

// engine samples many replies at once with one decoder, in one goroutine. Every step takes all that can be taken: the
// last token of each reply in progress, and the prompts of new ones as far as the step has room.
type engine struct {
	decoder *transformer.Decoder
	most    int // rows of one step
	tokens  int // whose keys and values are kept, at most, unless a single conversation has more
	lanes   []lane
	steps   uint64
	active  int

	rows    []transformer.Row
	wanted  []*lane // of the rows whose logits are wanted, in order
	weights []float32

	mu      sync.Mutex
	waiting []*job
	change  *change
	closed  bool
	wake    chan struct{} // holds at most one: something of the above has changed
}

// change asks for other weights.
type change struct {
	model   *transformer.Model
	adapter *transformer.Adapter
	done    chan struct{}
}

// maxKept bounds the keys and values that an engine keeps, in bytes.
const maxKept = 2 << 30

func newEngine(m *transformer.Model, a *transformer.Adapter, slots, rows, cores int) *engine {
	e := &engine{
		decoder: transformer.NewDecoder(m, slots, cores), most: max(rows, slots), lanes: make([]lane, slots),
		weights: make([]float32, m.Config.Vocab), wake: make(chan struct{}, 1), tokens: maxKept / m.Config.TokenBytes(),
	}
	if a != nil {
		e.decoder.Use(m, a)
	}
	return e
}

// submit hands a job over.
func (e *engine) submit(j *job) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	e.waiting = append(e.waiting, j)
	e.signal()
	return nil
}

// use changes the weights once the replies in progress are done. The caller waits for done.
func (e *engine) use(c *change) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	e.change = c
	e.signal()
	return nil
}

func (e *engine) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.signal()
}

func (e *engine) signal() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// run samples until the engine is closed. It sleeps while there is nothing to sample.
func (e *engine) run() {
	for e.admit() {
		if e.active == 0 {
			<-e.wake
			continue
		}
		e.step()
	}
}

// admit takes waiting jobs into free lanes, the first come first. It reports false when the engine is closed, and has
// then failed all jobs.
func (e *engine) admit() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		for _, j := range e.waiting {
			j.fail(errClosed)
		}
		for i := range e.lanes {
			if j := e.lanes[i].job; j != nil {
				j.fail(errClosed)
			}
		}
		if e.change != nil {
			close(e.change.done)
		}
		return false
	}
	if c := e.change; c != nil {
		if e.active > 0 {
			return true // no request is admitted before the new weights are
		}
		e.decoder.Use(c.model, c.adapter)
		for i := range e.lanes {
			e.lanes[i].held = e.lanes[i].held[:0]
		}
		e.change = nil
		close(c.done)
	}
	taken := 0
	for _, j := range e.waiting {
		if err := j.ctx.Err(); err != nil {
			j.fail(err)
		} else if e.active == len(e.lanes) || !e.fits(j) {
			break
		} else {
			e.place(j)
		}
		taken++
	}
	clear(e.waiting[:taken])
	e.waiting = e.waiting[taken:]
	return true
}

// fits reports that there is memory for a job beside those in progress. What free lanes still hold makes way, the least recently
// used first.
func (e *engine) fits(j *job) bool {
	for {
		held, oldest := 0, -1
		for i := range e.lanes {
			switch l := &e.lanes[i]; {
			case l.job != nil:
				held += l.job.needs()
			case len(l.held) > 0:
				held += len(l.held)
				if oldest < 0 || l.used < e.lanes[oldest].used {
					oldest = i
				}
			}
		}
		switch {
		case held+j.needs() <= e.tokens, oldest < 0 && e.active == 0:
			return true
		case oldest < 0:
			return false
		}
		e.decoder.Forget(oldest)
		e.lanes[oldest].held = e.lanes[oldest].held[:0]
	}
}

// needs is how many tokens a job's conversation may come to.
func (j *job) needs() int { return len(j.prompt) + j.limit }

// place gives a job the free lane that saves most: the one that holds its conversation, or else one that holds nothing,
// or else the least recently used one.
func (e *engine) place(j *job) {
	var best *lane
	saved := 0
	for i := range e.lanes {
		l := &e.lanes[i]
		if l.job != nil {
			continue
		}
		// What is thrown away may be another conversation, so a few tokens in common do not make up for it.
		worth := 2*l.common(j.prompt) - len(l.held)
		switch {
		case best == nil, worth > max(saved, 0), saved <= 0 && worth <= 0 && l.older(best):
			best, saved = l, worth
		}
	}
	n := min(best.common(j.prompt), len(j.prompt)-1) // the last token always has to be read
	best.held, best.job, best.used = best.held[:n], j, e.steps
	e.active++
}

// share gives a lane that has not read its prompt what another lane holds more of it: the conversations of one task begin
// alike.
func (e *engine) share(to int) {
	l := &e.lanes[to]
	from, most := -1, len(l.held)
	for i := range e.lanes {
		if n := min(e.lanes[i].common(l.job.prompt), len(l.job.prompt)-1); n > most {
			from, most = i, n
		}
	}
	if from >= 0 {
		e.decoder.Share(from, to, most)
		l.held = append(l.held[:0], e.lanes[from].held[:most]...)
	}
}

// waits says that a lane before this one reads in this step what this one could share in the next.
func (e *engine) waits(lane int) bool {
	l := &e.lanes[lane]
	for i := range lane {
		if n := min(e.lanes[i].common(l.job.prompt), len(l.job.prompt)-1); n > len(l.held) {
			return true
		}
	}
	return false
}

// common is how many tokens a lane holds of the beginning of a prompt.
func (l *lane) common(prompt []int32) int {
	n := 0
	for n < min(len(l.held), len(prompt)) && l.held[n] == prompt[n] {
		n++
	}
	return n
}

// older says which of two lanes is the better one to throw away.
func (l *lane) older(than *lane) bool {
	if (len(l.held) == 0) != (len(than.held) == 0) {
		return len(l.held) == 0
	}
	return l.used < than.used
}

// step reads one token of every reply in progress, and prompts.
func (e *engine) step() {
	e.steps++
	e.rows, e.wanted = e.rows[:0], e.wanted[:0]
	for i := range e.lanes {
		l := &e.lanes[i]
		j := l.job
		if j == nil {
			continue
		}
		if err := j.ctx.Err(); err != nil {
			e.free(l)
			j.fail(err)
			continue
		}
		if len(j.reply) == 0 {
			e.share(i)
		}
	}
	for i := range e.lanes {
		if j := e.lanes[i].job; j != nil && len(j.reply) > 0 {
			e.read(i, j.reply[len(j.reply)-1], true)
		}
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		if l.job == nil || len(l.job.reply) > 0 || e.waits(i) {
			continue
		}
		for len(l.held) < len(l.job.prompt) && len(e.rows) < e.most {
			e.read(i, l.job.prompt[len(l.held)], len(l.held) == len(l.job.prompt)-1)
		}
	}
	if len(e.rows) == 0 {
		return
	}
	for i, logits := range e.decoder.Step(e.rows) {
		l := e.wanted[i]
		if l.job.take(logits, e.weights) {
			j := l.job
			e.free(l)
			close(j.done)
		}
	}
}

// read adds a token to the step.
func (e *engine) read(slot int, token int32, want bool) {
	l := &e.lanes[slot]
	e.rows = append(e.rows, transformer.Row{Slot: slot, Pos: len(l.held), Token: token, Want: want})
	l.held = append(l.held, token)
	if want {
		e.wanted = append(e.wanted, l)
	}
}

func (e *engine) free(l *lane) {
	l.job, l.used = nil, e.steps
	e.active--
}

// take draws the next token, and reports whether the reply is done.
func (j *job) take(logits, weights []float32) bool {
	token, logp, entropy, err := draw(logits, j.temperature, j.rng, weights)
	if err != nil {
		j.err = err
		return true
	}
	j.reply, j.logp, j.entropy = append(j.reply, token), append(j.logp, logp), append(j.entropy, entropy)
	switch {
	case slices.Contains(j.ends, token):
		j.ended = true
	case j.stop.write(token):
	case len(j.reply) >= j.limit:
		j.cut = true
	default:
		return false
	}
	return true
}

func (j *job) fail(err error) {
	j.err = err
	close(j.done)
}

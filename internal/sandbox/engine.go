package sandbox

import (
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Engine owns the worker processes. It is safe for concurrent use.
type Engine struct {
	cfg    Config
	dir    string // cache of this set of products
	temp   string // to be removed at the end, "" when dir is in the user's cache
	seed   maphash.Seed
	spawns chan chan spawned
	quit   chan struct{}
	wg     sync.WaitGroup
	lanes  chan *lane // the free ones; a program occupies one

	mu       sync.Mutex
	closed   bool
	slots    []*process // nil until needed
	spare    *process   // started ahead, so that a kill costs no start
	all      map[*process]bool
	preludes map[string]string // recent ones, for spares
	recent   []string
	sparing  bool // a spare is being started
}

// spawned is a process that was started, or why it was not.
type spawned struct {
	p   *process
	err error
}

// Open starts the first worker process and returns when it can open sessions. The first start on a machine compiles
// the interpreter, which takes a few seconds. Errors are of type *Error.
func Open(ctx context.Context, c Config) (*Engine, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{cfg: c, lanes: newLanes(c.Workers), seed: maphash.MakeSeed(), spawns: make(chan chan spawned), quit: make(chan struct{}),
		slots: make([]*process, c.Workers), all: map[*process]bool{}, preludes: map[string]string{}}
	if err := e.chooseCache(); err != nil {
		return nil, &Error{Op: "start", Err: err, hint: "check that the temporary folder can be written"}
	}
	e.wg.Go(e.spawner)
	if compiled(e.dir) { // else the first one compiles for all
		for slot := range e.slots[1:] {
			e.wg.Go(func() { _, _ = e.fill(slot + 1) }) // worker tries again, and says why not
		}
	}
	if _, err := e.worker(ctx, 0); err != nil {
		e.Close()
		return nil, &Error{Op: "start", Err: err, hint: "the worker process did not start; the cache is in " + e.dir + " and can be deleted"}
	}
	return e, nil
}

// chooseCache picks the folder of this set of products below Config.CacheDir, or a temporary one when that can neither
// be written nor holds what is needed.
func (e *Engine) chooseCache() error {
	key, err := productKey()
	if err != nil {
		return err
	}
	if e.cfg.CacheDir != "" {
		dir, err := filepath.Abs(filepath.Join(e.cfg.CacheDir, "sandbox-"+key))
		if err == nil && (usable(dir) || compiled(dir)) {
			e.dir = dir
			return nil
		}
	}
	e.temp, err = os.MkdirTemp("", "deeprepo-sandbox-")
	e.dir = e.temp
	return err
}

func usable(dir string) bool {
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	f, err := os.CreateTemp(dir, "probe.*.tmp")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// spawner starts all workers from one thread that lives as long as the engine, see bindLife.
func (e *Engine) spawner() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case s := <-e.spawns:
			p, err := e.start()
			if err == nil {
				e.mu.Lock()
				e.all[p] = true
				e.mu.Unlock()
			}
			s <- spawned{p, err}
		case <-e.quit:
			return
		}
	}
}

var errClosed = errors.New("the engine is closed")

// launch starts a process and greets it; it does not wait until the process is ready.
func (e *Engine) launch() (*process, error) {
	answer := make(chan spawned, 1)
	select {
	case e.spawns <- answer:
	case <-e.quit:
		return nil, errClosed
	}
	s := <-answer
	if s.err != nil {
		return nil, s.err
	}
	if err := s.p.sendMessage(kindHello, 0, hello{Cache: e.dir}, nil); err != nil {
		s.p.kill(nil)
		return nil, err
	}
	e.mu.Lock()
	closed, preludes := e.closed, maps.Clone(e.preludes)
	e.mu.Unlock()
	if closed {
		s.p.kill(nil)
		return nil, errClosed
	}
	for key, source := range preludes {
		if err := s.p.prepare(key, source); err != nil {
			break // a dead process shows itself in await
		}
	}
	return s.p, nil
}

// worker returns the ready process of a slot, starting it when needed.
func (e *Engine) worker(ctx context.Context, slot int) (*process, error) {
	for attempt := 0; ; attempt++ {
		p, err := e.fill(slot)
		if err != nil {
			return nil, err
		}
		err = p.await(ctx)
		if err == nil {
			return p, nil
		}
		if ctx.Err() != nil || attempt == 1 {
			return nil, err
		}
		// A damaged cache can end a worker before it can say anything: try once from nothing.
		if !p.wasShot() {
			os.RemoveAll(filepath.Join(e.dir, "code"))
			dropImages(e.dir)
		}
	}
}

// fill puts a living process into a slot: the one there, the spare or a new one.
func (e *Engine) fill(slot int) (*process, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errClosed
	}
	if p := e.slots[slot]; p != nil && !p.gone() {
		return p, nil
	}
	p := e.spare
	e.spare = nil
	if p == nil || p.gone() {
		e.mu.Unlock()
		var err error
		p, err = e.launch()
		e.mu.Lock()
		if err != nil {
			return nil, err
		}
		if q := e.slots[slot]; q != nil && !q.gone() {
			// Another goroutine was faster: keep this one in reserve.
			if e.spare == nil && !e.closed {
				e.spare = p
			} else {
				p.kill(nil)
			}
			return q, nil
		}
	}
	e.slots[slot] = p
	for q := range e.all {
		if q.gone() {
			delete(e.all, q)
		}
	}
	return p, nil
}

// spareAfter is how long a step or program may run before a spare is started: what may have to be killed has a limit beyond.
const spareAfter = time.Second

// foresee sees to it that there is a spare once what begins now has run for a while. The caller stops that at its end.
func (e *Engine) foresee() (stop func()) {
	t := time.AfterFunc(spareAfter, e.ensureSpare)
	return func() { t.Stop() }
}

// ensureSpare starts the spare in the background.
func (e *Engine) ensureSpare() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.spare != nil && !e.spare.gone() || e.sparing {
		return
	}
	e.sparing = true
	e.wg.Go(func() {
		p, err := e.launch()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.sparing = false
		switch {
		case err != nil:
		case e.closed || e.spare != nil && !e.spare.gone():
			p.kill(nil)
		default:
			e.spare = p
		}
	})
}

// background runs f in a goroutine that Close waits for; false when the engine is closed.
func (e *Engine) background(f func()) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.wg.Go(f)
	}
	return !e.closed
}

// acquire returns a ready process for a new session: the one with the fewest.
func (e *Engine) acquire(ctx context.Context) (*process, error) {
	e.mu.Lock()
	best, least := 0, -1
	for i, p := range e.slots {
		n := 0
		if p != nil && !p.gone() {
			n = p.load()
		}
		if least < 0 || n < least {
			best, least = i, n
		}
	}
	e.mu.Unlock()
	return e.worker(ctx, best)
}

// remember keeps the latest preludes, so that spares have their images ready.
func (e *Engine) remember(source string) string {
	if source == "" {
		return ""
	}
	key := preludeKey(source)
	const keep = 4
	e.mu.Lock()
	_, known := e.preludes[key]
	if !known {
		e.preludes[key] = source
		e.recent = append(e.recent, key)
		if len(e.recent) > keep {
			delete(e.preludes, e.recent[0])
			e.recent = e.recent[1:]
		}
	}
	spare := e.spare
	e.mu.Unlock()
	if !known && spare != nil {
		_ = spare.prepare(key, source) // a dead spare is replaced when it is wanted
	}
	return key
}

// Close ends all workers and waits for them. Sessions still open fail.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	close(e.quit)
	for p := range e.all {
		p.kill(nil)
	}
	e.mu.Unlock()
	e.wg.Wait()
	if e.temp != "" {
		return os.RemoveAll(e.temp)
	}
	return nil
}

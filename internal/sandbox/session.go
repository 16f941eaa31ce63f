package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// Session is one interpreter whose cells share a namespace. One cell runs at a time.
type Session struct {
	e   *Engine
	cfg SessionConfig
	key string // of the prelude

	life   context.Context // ends with Close
	end    context.CancelFunc
	busy   sync.Mutex // guards what follows
	p      *process
	id     uint32
	frames chan frame
	setup  *step // nil without SessionConfig.Setup
	saved  saving
	done   []*step       // cells completed since saved, for a rebuild
	debt   time.Duration // how long they ran
	worth  time.Duration // debt from which a checkpoint is worth its while
	cells  int
}

var errSessionClosed = errors.New("the session is closed")

// ErrBusy is returned by Run while the session runs another cell.
var ErrBusy = errors.New("sandbox: the session is running a cell")

// errKilled means that this session's own step made it necessary to kill the worker.
var errKilled = errors.New("killed")

// NewSession opens a session: an interpreter started from the image of its prelude, after its setup. A failing prelude
// or setup is an *Error that wraps the Python traceback.
func (e *Engine) NewSession(ctx context.Context, c SessionConfig) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.Limits = c.Limits.withDefaults()
	if c.Host == nil {
		c.Host = func(_ context.Context, name string, _ []byte) ([]byte, error) {
			return nil, fmt.Errorf("there is no host function %q", name)
		}
	}
	s := &Session{e: e, cfg: c, key: e.remember(c.Prelude), worth: checkpointAfter}
	s.life, s.end = context.WithCancel(context.Background())
	if c.Setup != nil {
		s.setup = &step{op: opSetup, data: c.Setup}
	}
	if err := s.attach(ctx); err != nil {
		s.Close()
		return nil, wrap("open", err)
	}
	return s, nil
}

func wrap(op string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &Error{Op: op, Err: err}
	if errors.Is(err, errDied) {
		e.hint = "its processes end again and again: is the machine short of memory, or does something kill them?"
	}
	return e
}

// Run executes one cell. Python's errors and exceeded limits are in the result; an error means that ctx ended (the cell
// was stopped, its effects are kept) or that the engine failed (an *Error).
func (s *Session) Run(ctx context.Context, cell string) (Result, error) {
	if !s.busy.TryLock() {
		return Result{}, ErrBusy
	}
	defer s.busy.Unlock()
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	defer s.e.foresee()()
	var r Result
	err := s.saved.wait(ctx)
	if err == nil {
		r, err = s.run(ctx, cell)
	}
	if s.life.Err() != nil {
		s.detach()
		return Result{}, &Error{Op: "run", Err: errSessionClosed}
	}
	if err == nil {
		s.save()
	}
	return r, wrap("run", err)
}

// Skip counts a cell that is not run, so that tracebacks number the next ones as the caller does.
func (s *Session) Skip() {
	s.busy.Lock()
	defer s.busy.Unlock()
	s.cells++
}

func (s *Session) run(ctx context.Context, cell string) (Result, error) {
	s.cells++
	st := &step{op: opCell, number: s.cells, data: []byte(cell)}
	var o outcome
	var out []byte
	var homeless error
	attach := func() error { homeless = s.attach(ctx); return homeless } // from the last completed cell
	err := persist(ctx, attach, func() (err error) {
		if o, out, err = s.drive(ctx, st, true); err != nil {
			s.detach()
		}
		return err
	})
	switch {
	case err == nil:
		return s.finish(ctx, st, o, out)
	case homeless != nil:
		return Result{}, err
	case errors.Is(err, errKilled):
		return s.killed(st, "one operation ran past the time limit and could not be interrupted"), nil
	case errors.Is(err, errDied):
		return s.killed(st, "the interpreter's process died twice while this cell ran"), nil
	}
	return Result{}, err
}

// finish turns an outcome into a result and books the step.
func (s *Session) finish(ctx context.Context, st *step, o outcome, out []byte) (Result, error) {
	r := Result{Output: text(string(out), len(out)), OutputTotal: o.Total, Error: o.Error, Stop: o.Stop, Steps: o.Steps, Wall: o.Wall,
		HostWall: st.hostWall, MemoryBytes: o.Memory,
		Changes: o.Vars, Changed: o.Varied}
	if o.Lost != "" {
		s.detach()
		if o.Stop == stopCancel {
			return Result{}, ctx.Err()
		}
		k := s.killed(st, o.Lost)
		k.Output, k.OutputTotal, k.Steps, k.Wall = r.Output, r.OutputTotal, r.Steps, r.Wall
		return k, nil
	}
	if o.Stop == trace.CellSteps || o.Stop == trace.CellWall || o.Stop == stopCancel {
		st.halt, st.why = o.Halt, o.Stop
	}
	s.done = append(s.done, st)
	s.debt += o.Wall
	if o.Stop == stopCancel {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		return Result{}, &Error{Op: "run", Err: errors.New("the cell was cancelled")}
	}
	return r, nil
}

func (s *Session) killed(st *step, why string) Result {
	const undone = "; what this cell did was undone"
	return Result{
		Stop:     trace.CellKilled,
		HostWall: st.hostWall,
		Wall:     st.ran,
		Error:    &PyError{Type: "Killed", Message: why + undone, Traceback: "Killed: " + why + undone + "\n"},
	}
}

// attach makes sure that the session lives in a process, rebuilding it when needed.
func (s *Session) attach(ctx context.Context) error {
	if s.life.Err() != nil {
		return errSessionClosed
	}
	if s.p != nil && !s.p.gone() {
		return nil
	}
	s.detach()
	acquire := func() error {
		p, err := s.e.acquire(ctx)
		if err == nil {
			s.p = p
			s.id, s.frames = p.join()
		}
		return err
	}
	err := persist(ctx, acquire, func() error {
		err := s.rebuild(ctx)
		if err != nil {
			s.detach()
		}
		return err
	})
	if errors.Is(err, errKilled) {
		return errors.New("the setup or a cell that is run again went past its time limit")
	}
	return err
}

// rebuild opens the session in its new process and runs what it had completed.
func (s *Session) rebuild(ctx context.Context) error {
	if err := s.p.prepare(s.key, s.cfg.Prelude); err != nil {
		return s.lost(err)
	}
	q, pages := openRequest{Prelude: s.key, Memory: s.cfg.Limits.MemoryBytes}, []byte(nil)
	saved := s.saved.last
	if saved != nil {
		q.Frozen, pages = &saved.state, saved.pages
	}
	if err := s.p.sendMessage(kindOpen, s.id, q, pages); err != nil {
		return s.lost(err)
	}
	f, err := s.next(ctx)
	if err != nil {
		return err
	}
	if f.kind != kindOpened || len(f.blob) > 0 {
		return fmt.Errorf("open: %s", text(string(f.blob), 200_000))
	}
	if s.setup != nil && saved == nil {
		o, _, err := s.drive(ctx, s.setup, !s.setup.complete)
		if errors.Is(err, errKilled) && !s.setup.complete {
			o.Stop, err = trace.CellWall, nil
		}
		switch {
		case err != nil:
			return err
		case o.Stop != "": // first, for on a busy machine a stop may leave no error, or no interpreter
			return fmt.Errorf("setup: stopped by its %s limit", o.Stop)
		case o.Lost != "":
			return fmt.Errorf("setup: %s", o.Lost)
		case o.Error != nil:
			return fmt.Errorf("setup: %s", o.Error.Traceback)
		}
		s.setup.complete = true
	}
	for _, st := range s.done {
		o, _, err := s.drive(ctx, st, false)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if o.Lost != "" {
			return fmt.Errorf("cell %d could not be run again: %s", st.number, o.Lost)
		}
	}
	return nil
}

// next waits for one frame.
func (s *Session) next(ctx context.Context) (frame, error) {
	select {
	case f := <-s.frames:
		return f, nil
	case <-s.p.dead:
		return frame{}, s.lost(s.p.err)
	case <-ctx.Done():
		return frame{}, ctx.Err()
	}
}

// lost says what the end of the process means for this session.
func (s *Session) lost(err error) error {
	if s.p.killedBy(s) {
		return errKilled
	}
	if errors.Is(err, errLost) {
		return err
	}
	return fmt.Errorf("%w: %w", errDied, err)
}

func (s *Session) detach() {
	if s.p != nil {
		s.p.part(s.id)
		s.p = nil
	}
}

// Close ends the session; a running cell ends with an error. It does not wait, and may be called more than once.
func (s *Session) Close() error {
	s.end()
	if s.busy.TryLock() {
		defer s.busy.Unlock()
		_ = s.saved.wait(context.Background()) // ends with the session's life
		s.detach()
	}
	return nil
}

func decodeOutcome(meta []byte) (o outcome, err error) {
	err = json.Unmarshal(meta, &o)
	return o, err
}

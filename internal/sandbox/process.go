package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// process is a worker process as the engine sees it.
type process struct {
	cmd  *exec.Cmd
	wmu  sync.Mutex
	in   io.WriteCloser
	tail tail // of the worker's stderr

	ready chan struct{} // closed when the worker can open sessions
	dead  chan struct{} // closed when it is gone; err is set then

	preparing sync.Mutex
	prepared  map[string]bool

	mu       sync.Mutex
	err      error
	failure  string // the worker's own words
	killer   any    // the *Session or *lane
	killed   bool
	shot     bool // somebody else killed it, such as a system that is short of memory
	sessions map[uint32]chan frame
	nextID   uint32
}

var (
	// errLost means that the engine killed the worker because of another session.
	errLost = errors.New("the worker was killed because of another session or program")
	// errDied means that the worker ended for its own reason.
	errDied = errors.New("the worker process ended")
)

// start runs in the spawner's thread.
func (e *Engine) start() (*process, error) {
	p := &process{ready: make(chan struct{}), dead: make(chan struct{}), prepared: map[string]bool{}, sessions: map[uint32]chan frame{}}
	p.cmd = exec.Command(e.cfg.Command[0], e.cfg.Command[1:]...)
	p.cmd.Env = []string{}
	p.cmd.Stderr = &p.tail
	bindLife(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	widen(p.in)
	widen(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	e.wg.Go(func() { p.read(out, e.cfg.OnCompile) })
	return p, nil
}

// read delivers the worker's frames until it ends.
func (p *process) read(out io.Reader, onCompile func()) {
	r := bufio.NewReaderSize(out, 64<<10)
	var err error
	for err == nil {
		var f frame
		if f, err = readFrame(r); err != nil {
			break
		}
		switch f.kind {
		case kindCompiling:
			if onCompile != nil {
				onCompile()
			}
		case kindReady:
			select {
			case <-p.ready:
				err = errors.New("the worker was ready twice")
			default:
				close(p.ready)
			}
		case kindFailed:
			p.mu.Lock()
			p.failure = text(string(f.blob), 2000)
			p.mu.Unlock()
		default:
			err = p.deliver(f)
		}
	}
	p.kill(nil)
	waitErr := p.cmd.Wait()
	p.in.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if exit, ok := errors.AsType[*exec.ExitError](waitErr); ok && err == io.EOF && p.killer == nil {
		status, _ := exit.Sys().(syscall.WaitStatus)
		p.shot = status.Signaled() && status.Signal() == syscall.SIGKILL
	}
	switch {
	case p.killed && p.killer != nil:
		p.err = errLost
	case p.failure != "":
		p.err = errors.New(p.failure)
	case err != io.EOF:
		p.err = fmt.Errorf("%w: %w", errDied, err)
	default:
		p.err = fmt.Errorf("%w: %v %s", errDied, waitErr, p.tail.String())
	}
	close(p.dead)
}

// deliver hands a frame to its session. A session has at most one frame in progress, so its buffer is never full unless
// the worker breaks the protocol.
func (p *process) deliver(f frame) error {
	p.mu.Lock()
	to := p.sessions[f.session]
	p.mu.Unlock()
	if to == nil {
		return nil
	}
	select {
	case to <- f:
		return nil
	default:
		return fmt.Errorf("frame of kind %d out of turn", f.kind)
	}
}

func (p *process) send(f frame) error {
	p.wmu.Lock()
	defer p.wmu.Unlock()
	return writeFrame(p.in, f)
}

func (p *process) sendMessage(k kind, session uint32, message any, blob []byte) error {
	meta, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return p.send(frame{kind: k, session: session, meta: meta, blob: blob})
}

// prepare sends a prelude once.
func (p *process) prepare(key, source string) error {
	p.preparing.Lock() // held while it is sent: another session's open must not overtake it
	defer p.preparing.Unlock()
	if key == "" || p.prepared[key] {
		return nil
	}
	p.prepared[key] = true
	return p.send(frame{kind: kindPrepare, meta: []byte(key), blob: []byte(source)})
}

// join registers a session and returns its number here and its frames.
func (p *process) join() (uint32, chan frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextID++
	ch := make(chan frame, 2)
	p.sessions[p.nextID] = ch
	return p.nextID, ch
}

func (p *process) part(id uint32) {
	p.mu.Lock()
	_, ok := p.sessions[id]
	delete(p.sessions, id)
	p.mu.Unlock()
	if ok && !p.gone() {
		// A worker that is stuck does not read; it is not waited for here.
		_ = p.send(frame{kind: kindClose, session: id})
	}
}

// forget ends what join began, for a program: its worker has nothing left to close.
func (p *process) forget(id uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, id)
}

func (p *process) load() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

// kill ends the worker at once; by is the session or program that made it necessary, nil for the engine's own reasons. The
// first caller is the one remembered.
func (p *process) kill(by any) {
	p.mu.Lock()
	if !p.killed {
		p.killed, p.killer = true, by
	}
	p.mu.Unlock()
	_ = p.cmd.Process.Kill()
}

// killedBy tells whether by made the kill necessary.
func (p *process) killedBy(by any) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed && p.killer == by
}

func (p *process) gone() bool {
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	select {
	case <-p.dead:
		return true
	default:
		return killed
	}
}

// wasShot tells of a dead process whether somebody else killed it.
func (p *process) wasShot() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shot
}

// await returns when the worker can open sessions.
func (p *process) await(ctx context.Context) error {
	select {
	case <-p.ready:
		return nil
	case <-p.dead:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tail keeps the end of what was written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const keep = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-keep):]...)
	t.b = t.b[max(0, len(t.b)-keep):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.b), "\uFFFD")
}

package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// WorkerMain is the whole life of a worker process: it serves sessions over stdin and stdout until stdin ends. It is
// meant to be called by the program that Config.Command starts, and by nothing else: it takes over process-wide
// settings of the Go runtime and ignores interrupts.
func WorkerMain(stdin io.Reader, stdout io.Writer) error {
	// A guest in a long C loop cannot be preempted. It must neither hold up the other sessions by occupying the last
	// scheduler slot nor by making everybody wait for a garbage collection; so there are spare slots, and collections
	// happen when no guest runs (or when memory demands it).
	runtime.GOMAXPROCS(runtime.NumCPU() + 16)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(4 << 30)
	// Ctrl-C reaches the whole process group; the parent decides what it means.
	signal.Ignore(os.Interrupt)

	r := bufio.NewReaderSize(polled(stdin), 64<<10)
	w := &worker{stdout: stdout, guests: map[uint32]*guest{}}
	first, err := readFrame(r)
	if err != nil {
		return fmt.Errorf("sandbox worker: %w", err)
	}
	var h hello
	if first.kind != kindHello || json.Unmarshal(first.meta, &h) != nil {
		return errors.New("sandbox worker: this is started by deeprepo itself and speaks frames, not text")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.in, err = openInterpreter(ctx, h.Cache, func() { w.send(frame{kind: kindCompiling}) })
	if err != nil {
		w.send(frame{kind: kindFailed, blob: []byte(err.Error())})
		return fmt.Errorf("sandbox worker: %w", err)
	}
	runtime.GC()
	w.send(frame{kind: kindReady})
	for {
		f, err := readFrame(r)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = w.dispatch(f)
		}
		if err != nil {
			return fmt.Errorf("sandbox worker: %w", err)
		}
	}
}

type worker struct {
	in     *interpreter
	wmu    sync.Mutex
	stdout io.Writer
	guests map[uint32]*guest // touched by the reading goroutine only
	active atomic.Int32      // guests that execute code
	heap   atomic.Uint64     // bytes in use after the last collection
	pool   pool
}

// guest is a session as its worker sees it.
type guest struct {
	w       *worker
	id      uint32
	inbox   chan frame // open, run
	replies chan frame
	gone    chan struct{} // closed by close
	inst    atomic.Pointer[instance]
}

// send ignores write errors: they mean that the parent is gone, and then stdin ends too.
func (w *worker) send(f frame) {
	w.wmu.Lock()
	defer w.wmu.Unlock()
	_ = writeFrame(w.stdout, f)
}

func (w *worker) dispatch(f frame) error {
	g := w.guests[f.session]
	if f.kind == kindTry {
		go w.try(f)
		return nil
	}
	if g == nil && f.kind != kindPrepare && f.kind != kindOpen {
		// A reply or cancel may cross the end of its session.
		return nil
	}
	var to chan frame
	switch f.kind {
	case kindPrepare:
		// Registered before the next frame is read, so that an open finds it.
		if p, first := w.in.register(string(f.meta)); first {
			go func() {
				w.enter()
				defer w.leave()
				p.clone, p.err = w.in.bake(string(f.meta), string(f.blob))
				close(p.made)
			}()
		}
		return nil
	case kindOpen:
		if g != nil {
			return fmt.Errorf("session %d is open already", f.session)
		}
		g = &guest{w: w, id: f.session, inbox: make(chan frame, 2), replies: make(chan frame, 1), gone: make(chan struct{})}
		w.guests[f.session] = g
		go g.serve()
		to = g.inbox
	case kindRun:
		if in := g.inst.Load(); in != nil {
			in.meter.cancelled.Store(false)
		}
		to = g.inbox
	case kindFreeze:
		to = g.inbox
	case kindReply, kindRefuse:
		to = g.replies
	case kindCancel:
		if in := g.inst.Load(); in != nil {
			in.stop()
		}
		return nil
	case kindClose:
		delete(w.guests, f.session)
		close(g.gone)
		if in := g.inst.Load(); in != nil {
			in.stop()
		}
		return nil
	default:
		return fmt.Errorf("unexpected frame of kind %d", f.kind)
	}
	select {
	case to <- f:
		return nil
	default:
		return fmt.Errorf("session %d was sent a frame of kind %d out of turn", f.session, f.kind)
	}
}

// serve runs the steps of one session, one after the other.
func (g *guest) serve() {
	var in *instance
	defer func() {
		if in != nil {
			in.close()
		}
	}()
	for {
		var f frame
		select {
		case <-g.gone:
			return
		case f = <-g.inbox:
		}
		if f.kind == kindOpen {
			var err error
			if in, err = g.open(f); err != nil {
				g.w.send(frame{kind: kindOpened, session: g.id, blob: []byte(err.Error())})
				continue
			}
			g.inst.Store(in)
			g.w.send(frame{kind: kindOpened, session: g.id})
			continue
		}
		if f.kind == kindFreeze {
			g.w.send(g.freeze(in))
			continue
		}
		var q runRequest
		if err := json.Unmarshal(f.meta, &q); err != nil || in == nil {
			o, _ := json.Marshal(outcome{Lost: "there is no interpreter for this session"})
			g.w.send(frame{kind: kindDone, session: g.id, meta: o})
			continue
		}
		g.w.enter()
		o, out := in.run(q, f.blob)
		if o.Lost != "" {
			g.inst.Store(nil)
			in.close()
			in = nil
		}
		g.w.leave()
		meta, err := json.Marshal(o)
		if err != nil {
			meta = []byte(`{"lost":"the outcome could not be written"}`)
		}
		g.w.send(frame{kind: kindDone, session: g.id, meta: meta, blob: out})
	}
}

func (g *guest) open(f frame) (*instance, error) {
	var q openRequest
	if err := json.Unmarshal(f.meta, &q); err != nil {
		return nil, err
	}
	from, err := g.w.in.image(q.Prelude)
	if err != nil {
		return nil, err
	}
	in, err := g.w.in.instantiate(from, q.Memory)
	if err != nil {
		return nil, err
	}
	if err := q.thaw(in, f.blob); err != nil {
		in.close()
		return nil, err
	}
	in.host = g.ask
	return in, nil
}

// ask forwards a host call to the parent and waits; other sessions continue.
func (g *guest) ask(name string, payload []byte) ([]byte, error) {
	g.w.leave()
	defer g.w.enter()
	g.w.send(frame{kind: kindCall, session: g.id, meta: []byte(name), blob: payload})
	select {
	case f := <-g.replies:
		if f.kind == kindRefuse {
			return nil, errors.New(string(f.blob))
		}
		return f.blob, nil
	case <-g.gone:
		return nil, errors.New("the session is closed")
	}
}

func (w *worker) enter() { w.active.Add(1) }

// leave collects garbage when the last running guest pauses and enough has gathered, or when it is really much.
func (w *worker) leave() {
	enough := uint64(96 << 20)
	if w.active.Add(-1) > 0 {
		enough = 768 << 20
	}
	if n := heapBytes(); n > w.heap.Load()+enough {
		runtime.GC()
		w.heap.Store(heapBytes())
	}
}

func heapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

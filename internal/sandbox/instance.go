package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"
)

// instance is one running interpreter. All of its methods except stop belong to one goroutine.
type instance struct {
	ctx    context.Context
	mod    api.Module
	mem    *linear
	clock  int64 // virtual nanoseconds since the snapshot
	from   clone
	host   func(name string, payload []byte) ([]byte, error)
	random *rand.ChaCha8
	files  *openFiles

	functions

	meter  meter
	bell   uint32 // address of the guest's dr_bell
	out    []byte
	outCap int
	total  int
	aside  *aside // takes standard error when it is kept apart
	input  []byte // what is left to read from file descriptor 0
	depth  int    // entries in progress, see transact
	torn   bool   // an entry did not return: the instance cannot be used again
	closed bool   // a standard descriptor was closed, or is another one's now
	ended  int32  // how the program's code ended, by the guest's own first word
	// overdue is called when a step did not end killGrace after its limit. Defaults to no call.
	overdue func()
	reply   []byte
	fields  [5]string // as sent by boot.py's report
	// seen are the variables as the last step left them, nil if they have not been read since.
	seen      map[string]heap.Mark
	landmarks func() (heap.Landmarks, error)
}

// How a program's code ended, see run in cpython/guest.c.
const (
	endedRaised int32 = 0
	endedWell   int32 = 1
	endedExit   int32 = 2
	endedNot    int32 = -1
)

// epoch is the guest's start of time: 2026-01-01 00:00:00 UTC.
const epoch = 1767225600

type instanceKey struct{}

// functions are those of the guest, see cpython/guest.c.
type functions struct{ enter, alloc, free, setFuel, getFuel api.Function }

func exported(mod api.Module) functions {
	return functions{mod.ExportedFunction("dr_enter"), mod.ExportedFunction("dr_alloc"), mod.ExportedFunction("dr_free"),
		mod.ExportedFunction("dr_setfuel"), mod.ExportedFunction("dr_getfuel")}
}

// stackTrace begins what wazero says of a guest that failed behind the reason.
const stackTrace = "\nwasm stack trace"

// instantiate starts an interpreter from an image; limit is the size its memory may grow to.
func (in *interpreter) instantiate(from clone, limit int64) (*instance, error) {
	mem, err := newLinear(from.image, max(int(limit), from.image.size))
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	g := &instance{mem: mem, landmarks: in.landmarks, files: &openFiles{from: in.library}, ended: endedNot, clock: from.clock, from: from,
		random: rand.NewChaCha8(seed)}
	g.ctx = context.WithValue(in.ctx, instanceKey{}, g)
	// The interpreter stays a module without a name, so that any number of them can live in one runtime. Every look
	// at the clock costs a microsecond and sleeping moves it, so time is a function of what the program did.
	look := func() int64 { g.clock += 1000; return g.clock }
	cfg := wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithFSConfig(wazero.NewFSConfig().WithFSMount(g.files, "/py/lib")).
		WithStdin(input{g}).WithStdout(output{g, 1}).WithStderr(output{g, 2}).
		WithRandSource(g.random).
		WithNanotime(look, 1000).
		WithWalltime(func() (int64, int32) { t := look(); return epoch + t/1e9, int32(t % 1e9) }, 1000).
		WithNanosleep(func(ns int64) { g.clock += max(ns, 0) })
	allocate := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return mem })
	g.mod, err = in.runtime.InstantiateModule(experimental.WithMemoryAllocator(in.ctx, allocate), in.module, cfg)
	if err != nil {
		mem.Free()
		return nil, fmt.Errorf("instantiate interpreter: %w", err)
	}
	if !g.grow(from.image.size) {
		g.close()
		return nil, errors.New("instantiate interpreter: memory could not grow to the snapshot's size")
	}
	mem.fill(g.memory())
	g.functions = exported(g.mod)
	bell, err := g.call(g.mod.ExportedFunction("dr_bell"))
	if err != nil {
		g.close()
		return nil, fmt.Errorf("instantiate interpreter: %w", err)
	}
	g.bell = uint32(bell)
	return g, nil
}

func (g *instance) close() { g.mod.Close(g.ctx) }

// grow makes the memory at least that large.
func (g *instance) grow(size int) bool {
	missing := size - int(g.mod.Memory().Size())
	if missing <= 0 {
		return true
	}
	_, ok := g.mod.Memory().Grow(uint32(missing / pageSize))
	return ok
}

// output takes what programs write to the file descriptors 1 and 2 past sys.stdout.
type output struct {
	g  *instance
	fd uint64
}

func (o output) Write(p []byte) (int, error) { o.g.write(o.fd, p); return len(p), nil }

// input is what programs read from file descriptor 0.
type input struct{ g *instance }

func (i input) Read(p []byte) (int, error) {
	if len(i.g.input) == 0 {
		return 0, io.EOF
	}
	n := copy(p, i.g.input)
	i.g.input = i.g.input[n:]
	return n, nil
}

// aside keeps standard error apart from standard output.
type aside struct {
	out   []byte
	total int
}

func (g *instance) write(fd uint64, p []byte) {
	if a := g.aside; a != nil && uint32(fd) == 2 { // the upper half of an i32 is undefined
		a.total += len(p)
		if room := g.outCap - len(a.out); room > 0 {
			a.out = append(a.out, p[:min(room, len(p))]...)
		}
		return
	}
	g.total += len(p)
	if room := g.outCap - len(g.out); room > 0 {
		g.out = append(g.out, p[:min(room, len(p))]...)
	}
}

// stop orders the running step to end; safe from any goroutine.
func (g *instance) stop() {
	g.meter.cancelled.Store(true)
	g.mem.ring(g.bell)
}

// run does one step and returns its outcome and output. After an outcome with Lost set the instance must be closed.
func (g *instance) run(q runRequest, data []byte) (outcome, []byte) {
	before, err := g.look(q)
	if err != nil {
		return outcome{Lost: err.Error()}, nil
	}
	g.out, g.outCap, g.total, g.fields = nil, q.Output, 0, [5]string{}
	g.mem.refused = false
	g.meter.start(q)
	stopClock := g.clockwatch()
	ok, err := g.step(q, data)
	stopClock()
	o := outcome{Stop: g.meter.stop, Halt: g.meter.halted, Total: g.total, Steps: g.meter.steps, Wall: g.meter.elapsed(),
		Memory: int64(g.mod.Memory().Size())}
	if err != nil {
		o.Lost, _, _ = strings.Cut(err.Error(), stackTrace)
	}
	if g.fields[1] != "" && err == nil {
		o.Error = &PyError{Type: text(g.fields[1], 200), Message: text(g.fields[2], 40_000), Traceback: text(g.fields[3], 120_000)}
		o.Error.Line, _ = strconv.Atoi(g.fields[4])
		if !ok && o.Error.Traceback == "" {
			o.Error.Traceback = o.Error.Type + "\n"
		}
		if o.Stop == "" && g.mem.refused && o.Error.Type == "MemoryError" {
			o.Stop = trace.CellMemory
		}
	}
	if q.Watch && o.Lost == "" {
		g.compare(before, &o)
	}
	return o, g.out
}

// clockwatch rings the guest's bell once its time is up. The bell is only a byte the guest looks at before each step: a
// ring can be lost when the guest's memory moves, so it is repeated.
func (g *instance) clockwatch() (stop func()) {
	if g.meter.wall <= 0 {
		return func() {}
	}
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTimer(g.meter.wall)
		defer t.Stop()
		for {
			select {
			case <-quit:
				return
			case <-t.C:
			}
			left := g.meter.left()
			if left <= -killGrace && g.overdue != nil {
				g.overdue()
				return
			}
			if left <= 0 {
				g.mem.ring(g.bell)
				left = 2 * time.Millisecond
			}
			t.Reset(left)
		}
	})
	return func() { close(quit); wg.Wait() }
}

func text(s string, limit int) string {
	return strings.ToValidUTF8(s[:min(len(s), limit)], "\uFFFD")
}

// step copies data into the guest and enters it; ok is false when the guest could not even report its failure.
func (g *instance) step(q runRequest, data []byte) (ok bool, err error) {
	// A panic of wazero itself (say, out of memory for its stack) must lose this session only.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("interpreter fault: %v", r)
		}
	}()
	p, err := g.call(g.alloc, uint64(len(data)+1))
	if err != nil {
		return false, err
	}
	if uint32(p) == 0 || !g.mod.Memory().Write(uint32(p), data) {
		g.fields[1], g.mem.refused = "MemoryError", true
		return false, nil
	}
	if _, err := g.call(g.setFuel, uint64(g.meter.grant())); err != nil {
		return false, err
	}
	rc, err := g.call(g.enter, uint64(q.Op), uint64(q.Number), p, uint64(len(data)))
	if err != nil {
		return false, err
	}
	rest, err := g.call(g.getFuel)
	if err != nil {
		return false, err
	}
	g.meter.steps += int64(rest)
	_, err = g.call(g.free, p)
	return rc == 0, err
}

func (g *instance) call(f api.Function, args ...uint64) (uint64, error) {
	res, err := f.Call(g.ctx, args...)
	if err != nil {
		var exit *sys.ExitError
		if errors.As(err, &exit) {
			return 0, fmt.Errorf("the program ended the interpreter (exit code %d)", exit.ExitCode())
		}
		return 0, err
	}
	if len(res) == 0 {
		return 0, nil
	}
	return res[0], nil
}

// ask serves a host call of the guest; the cell's wall clock stands still meanwhile. name and payload are views of the
// guest's memory.
func (g *instance) ask(name, payload []byte) ([]byte, error) {
	switch {
	case g.host == nil:
		return nil, errors.New("host calls are not available here")
	case len(name) > maxName:
		return nil, fmt.Errorf("the name of a host call has %d bytes, more than %d", len(name), maxName)
	case len(payload) > maxPayload:
		return nil, fmt.Errorf("the payload of a host call has %d bytes, more than %d", len(payload), maxPayload)
	}
	g.meter.pause()
	defer g.meter.resume()
	return g.host(string(name), bytes.Clone(payload))
}

const (
	maxName    = 4096
	maxPayload = 64 << 20
)

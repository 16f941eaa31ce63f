package sandbox

import (
	"context"
	"io/fs"
	"sync"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pool holds the instances that programs left behind, by the key of their prelude. An idle one that has not grown, holds no open
// file and still has its standard descriptors gets its first memory, clock and random source again, which is several times quicker
// than a new one, and no program can tell the difference.
type pool struct {
	mu   sync.Mutex
	idle map[string][]*instance
}

const (
	judgeMemory = 1 << 30
	// reserved is the address space of an instance that is to be used again; a larger limit gets one of its own.
	reserved = 1 << 30
	maxIdle  = 2
)

// fresh returns an instance in the state in which its prelude left it.
func (w *worker) fresh(key string, limit int64) (*instance, error) {
	from, err := w.in.image(key)
	if err != nil {
		return nil, err
	}
	limit = max(limit, int64(from.image.size))
	w.pool.mu.Lock()
	var g *instance
	if idle := w.pool.idle[key]; len(idle) > 0 && limit <= reserved {
		g = idle[len(idle)-1]
		w.pool.idle[key] = idle[:len(idle)-1]
	}
	w.pool.mu.Unlock()
	if g != nil {
		if g.mem.relimit(int(limit)) {
			return g, nil
		}
		g.close()
	}
	if g, err = w.in.instantiate(from, max(limit, reserved)); err != nil {
		return nil, err
	}
	g.mem.relimit(int(limit))
	return g, nil
}

// recycle takes an instance back; nil is fine.
func (w *worker) recycle(key string, g *instance) {
	if g == nil {
		return
	}
	if g.torn || g.depth > 0 || !g.restart() {
		g.close()
		return
	}
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	if w.pool.idle == nil {
		w.pool.idle = map[string][]*instance{}
	}
	if len(w.pool.idle[key]) >= maxIdle {
		g.close()
		return
	}
	w.pool.idle[key] = append(w.pool.idle[key], g)
}

// restart takes back all that a program did to an instance; false when that is not possible.
func (g *instance) restart() bool {
	if g.closed || int(g.mod.Memory().Size()) != g.from.image.size || g.files.count != 0 || g.mem.restore() != nil {
		return false
	}
	var seed [32]byte
	g.random.Seed(seed)
	g.clock = g.from.clock
	g.host, g.overdue, g.aside, g.input, g.out, g.reply = nil, nil, nil, nil, nil, nil
	g.total, g.outCap, g.fields, g.ended = 0, 0, [5]string{}, endedNot
	g.mem.refused = false
	g.meter.cancelled.Store(false)
	return true
}

// noticing has an instance know that its program closes a standard descriptor, or puts another file there: WASI keeps those
// outside of the memory that restart gives back.
func noticing(ctx context.Context) context.Context {
	notice := experimental.FunctionListenerFunc(func(ctx context.Context, _ api.Module, _ api.FunctionDefinition, params []uint64,
		_ experimental.StackIterator) {
		for _, fd := range params {
			if g, ok := ctx.Value(instanceKey{}).(*instance); ok && uint32(fd) < 3 {
				g.closed = true
			}
		}
	})
	return experimental.WithFunctionListenerFactory(ctx, experimental.FunctionListenerFactoryFunc(
		func(f api.FunctionDefinition) experimental.FunctionListener {
			if name := f.Name(); name == "fd_close" || name == "fd_renumber" {
				return notice
			}
			return nil
		}))
}

// openFiles is the library as one instance sees it; it counts what is open.
type openFiles struct {
	from  fs.FS
	count int
}

// Open implements fs.FS.
func (o *openFiles) Open(name string) (fs.File, error) {
	f, err := o.from.Open(name)
	if err != nil {
		return nil, err
	}
	o.count++
	if d, ok := f.(fs.ReadDirFile); ok {
		return &openFolder{ReadDirFile: d, of: o}, nil
	}
	return &openFile{File: f, of: o}, nil
}

type openFile struct {
	fs.File
	of *openFiles
}

func (f *openFile) Close() error { f.of.count--; return f.File.Close() }

type openFolder struct {
	fs.ReadDirFile
	of *openFiles
}

func (f *openFolder) Close() error { f.of.count--; return f.ReadDirFile.Close() }

package sandbox

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// interpreter is what a worker process shares between its sessions: the compiled module, the base image, and one image
// for each prelude.
type interpreter struct {
	ctx     context.Context
	runtime wazero.Runtime
	module  wazero.CompiledModule
	library *zip.Reader
	dir     string                // where baked images are kept, "" for nowhere
	base    func() (clone, error) // loaded when it is first asked for

	mu       sync.Mutex
	preludes map[string]*prelude

	landmarks func() (heap.Landmarks, error) // found when they are first asked for
}

// prelude is the image left by a prelude; made is closed when it is there or has failed.
type prelude struct {
	made  chan struct{}
	clone clone
	err   error
}

// openInterpreter compiles or loads the module. dir may be "" (nothing is kept). compiling is called before a slow
// compilation.
func openInterpreter(ctx context.Context, dir string, compiling func()) (*interpreter, error) {
	in := &interpreter{ctx: ctx, dir: dir, preludes: map[string]*prelude{}}
	in.base = sync.OnceValues(func() (clone, error) { return loadBase(dir) })
	in.landmarks = sync.OnceValues(in.findLandmarks)
	wasm, err := unpack("module.wasm.gz")
	if err != nil {
		return nil, err
	}
	if in.library, err = openLibrary(); err != nil {
		return nil, err
	}
	if !compiled(dir) {
		compiling()
	}
	err = in.compile(wasm, dir)
	if err != nil && dir != "" {
		// The cache is damaged or cannot be written: try a clean one, then none.
		os.RemoveAll(filepath.Join(dir, "code"))
		compiling()
		if err = in.compile(wasm, dir); err != nil {
			err = in.compile(wasm, "")
		}
	}
	return in, err
}

// compiled tells whether dir seems to hold the compiled module.
func compiled(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "code", "*", "*"))
	for _, n := range names {
		if !strings.HasSuffix(n, ".tmp") {
			return dir != ""
		}
	}
	return false
}

func (in *interpreter) compile(wasm []byte, dir string) error {
	cfg := wazero.NewRuntimeConfig().WithMemoryLimitPages(1<<16 - 1)
	if dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "code"))
		if err != nil {
			return err
		}
		cfg = cfg.WithCompilationCache(cache)
	}
	in.runtime = wazero.NewRuntimeWithConfig(in.ctx, cfg)
	if _, err := wasi_snapshot_preview1.Instantiate(noticing(in.ctx), in.runtime); err != nil {
		return fmt.Errorf("instantiate wasi: %w", err)
	}
	if err := instantiateHost(in.ctx, in.runtime); err != nil {
		return fmt.Errorf("instantiate host module: %w", err)
	}
	var err error
	in.module, err = in.runtime.CompileModule(experimental.WithCompilationWorkers(in.ctx, 2), wasm)
	if err != nil {
		return fmt.Errorf("compile interpreter: %w", err)
	}
	return nil
}

// register announces a prelude, so that image waits for it; the first caller is told to make it.
func (in *interpreter) register(key string) (p *prelude, first bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	p, ok := in.preludes[key]
	if !ok {
		p = &prelude{made: make(chan struct{})}
		in.preludes[key] = p
	}
	return p, !ok
}

// bake returns what a prelude leaves: as a former process has kept it, or else by running it on the base image.
func (in *interpreter) bake(key, source string) (clone, error) {
	if in.dir != "" {
		if c, err := readClone(filepath.Join(in.dir, fmt.Sprintf(bakedNames, key))); err == nil {
			return c, nil
		}
	}
	base, err := in.base()
	if err != nil {
		return clone{}, err
	}
	g, err := in.instantiate(base, 1<<30)
	if err != nil {
		return clone{}, err
	}
	defer g.close()
	g.host = func(string, []byte) ([]byte, error) {
		return nil, errors.New("a prelude cannot make host calls while it is loaded")
	}
	limits := Limits{Wall: time.Minute}.withDefaults()
	for _, op := range []int{opPrelude, opTidy} {
		out, _ := g.run(runRequest{Op: op, Steps: limits.Steps, Wall: limits.Wall, Output: limits.OutputBytes}, []byte(source))
		switch {
		case out.Lost != "":
			return clone{}, fmt.Errorf("prelude: %s", out.Lost)
		case out.Error != nil:
			return clone{}, fmt.Errorf("prelude: %s", out.Error.Traceback)
		}
	}
	if in.dir != "" && len(source) >= worthKeeping {
		keepBaked(in.dir, key, g.memory(), g.clock)
	}
	im, err := newImage(g.memory())
	return clone{image: im, clock: g.clock}, err
}

// image returns what sessions with this prelude start from.
func (in *interpreter) image(key string) (clone, error) {
	if key == "" {
		return in.base()
	}
	in.mu.Lock()
	p, ok := in.preludes[key]
	in.mu.Unlock()
	if !ok {
		return clone{}, fmt.Errorf("prelude %q was not prepared", key)
	}
	<-p.made
	return p.clone, p.err
}

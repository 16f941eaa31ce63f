package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

// What can judge programs.
const (
	backendAuto   = "auto"   // the embedded interpreter, and the other one for what only that one has
	backendWasm   = "wasm"   // the embedded interpreter
	backendNative = "native" // a Python of the machine, jailed
	backendBoth   = "both"   // each program by the two; what auto would take counts
)

// executor judges programs.
type executor interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// backendFlags choose what judges programs; more may be backendBoth.
func backendFlags(cmd *cobra.Command, backend, python *string, more ...string) {
	fl := cmd.Flags()
	usage := "where programs run: wasm (the embedded interpreter), native (this machine's Python in bubblewrap, with its packages), or auto " +
		"(native for programs that import what wasm lacks)"
	if slices.Contains(more, backendBoth) {
		usage += "; both runs each program in the two and lists those on which they differ"
	}
	fl.StringVar(backend, "backend", backendWasm, usage)
	fl.StringVar(python, "python", "",
		"interpreter of --backend native and auto, or an environment of deeprepo sandbox env (default: python3)")
	complete(cmd, "backend", append([]string{backendAuto, backendWasm, backendNative}, more...)...)
}

// backend opens what was chosen, and says how many programs it takes at once: workers, where that is not 0. fleet is the
// address of one, "" for the configuration's.
func (a *app) backend(ctx context.Context, name, python, fleet string, say func(string), workers int) (executor, int, error) {
	python = cmp.Or(a.environments().Python(python), python)
	switch {
	case (name == backendNative || name == backendAuto) && fleet != "":
		return nil, 0, contradicts(name)
	case name == backendNative:
		box, err := native.Open(ctx, native.Config{Python: python, Workers: judges(workers)})
		if err != nil {
			return nil, 0, exitError{exitOutside, err}
		}
		a.closeLater(box.Close)
		return box, judges(workers), nil
	case name == backendAuto:
		return a.either(ctx, python, say, workers)
	case name == backendBoth:
		return nil, 0, usageError{errors.New("--backend both is for code verify and code eval"), "auto, wasm or native"}
	case name != backendWasm && name != "": // a run of before there was a choice
		return nil, 0, usageError{fmt.Errorf("unknown --backend %q", name), "auto, wasm or native"}
	case python != "":
		return nil, 0, usageError{errors.New("--python needs --backend native or auto"), ""}
	}
	return a.executor(ctx, fleet, say, workers)
}

// contradicts is the error of a backend that no fleet has.
func contradicts(backend string) error {
	return usageError{fmt.Errorf("--backend %s and --fleet contradict each other", backend), "a fleet's workers judge with wasm"}
}

// polyglot has other languages judged as well, in jails, and tells which tool it has for one: "g++ 12.2.0".
func (a *app) polyglot(ctx context.Context, python executor, backend string, say func(string), workers int) (*native.Polyglot, error) {
	if backend != backendNative && backend != backendAuto {
		return nil, usageError{errors.New("programs in other languages than Python run in a jail only"), "--backend auto, or native"}
	}
	p, err := native.OpenPolyglot(ctx, native.PolyglotConfig{Python: python, Workers: workers, Say: say,
		CacheDir: filepath.Join(a.cacheDir(), "toolchains")})
	if err != nil {
		return nil, exitError{exitOutside, err}
	}
	return p, nil
}

// either opens both, or the embedded interpreter alone where programs cannot be jailed, and says so.
func (a *app) either(ctx context.Context, python string, say func(string), workers int) (executor, int, error) {
	wasm, n, err := a.executor(ctx, "", say, workers)
	if err != nil {
		return nil, 0, err
	}
	auto, err := a.auto(ctx, wasm, python, n)
	if errors.As(err, new(*native.Error)) {
		say("all programs run in WebAssembly, with its standard library only, for none can be jailed here: " + termtext.OneLine(err.Error()))
		return wasm, n, nil
	}
	return auto, n, err
}

// both is like backend, of --backend both: each program is judged by the two, which must be there.
func (a *app) both(ctx context.Context, python, fleet string, say func(string), workers int) (executor, int, error) {
	if fleet != "" {
		return nil, 0, contradicts(backendBoth)
	}
	wasm, n, err := a.executor(ctx, "", say, workers)
	if err != nil {
		return nil, 0, err
	}
	auto, err := a.auto(ctx, wasm, cmp.Or(a.environments().Python(python), python), n)
	return native.Both{Auto: auto}, n, err
}

// auto opens a jail to go with the embedded interpreter.
func (a *app) auto(ctx context.Context, wasm executor, python string, workers int) (*native.Auto, error) {
	box, err := native.Open(ctx, native.Config{Python: python, Workers: workers})
	if err == nil {
		a.closeLater(box.Close)
		var auto *native.Auto
		if auto, err = native.NewAuto(ctx, wasm, box); err == nil {
			return auto, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, exitError{exitOutside, err}
}

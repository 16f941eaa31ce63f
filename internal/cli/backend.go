package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

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
)

// executor judges programs.
type executor interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// backendFlags choose what judges programs.
func backendFlags(cmd *cobra.Command, backend, python *string) {
	fl := cmd.Flags()
	fl.StringVar(backend, "backend", backendWasm,
		"where programs run: wasm (the embedded interpreter), native (this machine's Python in bubblewrap, with its packages), or auto "+
			"(native for programs that import what wasm lacks)")
	fl.StringVar(python, "python", "",
		"interpreter of --backend native and auto, or an environment of deeprepo sandbox env (default: python3)")
	complete(cmd, "backend", backendAuto, backendWasm, backendNative)
}

// backend opens what was chosen, and says how many programs it takes at once: workers, where that is not 0. fleet is the
// address of one, "" for the configuration's.
func (a *app) backend(ctx context.Context, name, python, fleet string, say func(string), workers int) (executor, int, error) {
	if own := a.environments().Python(python); own != "" {
		python = own
	}
	switch {
	case (name == backendNative || name == backendAuto) && fleet != "":
		return nil, 0, usageError{fmt.Errorf("--backend %s and --fleet contradict each other", name), "a fleet's workers judge with wasm"}
	case name == backendNative:
		box, err := native.Open(ctx, native.Config{Python: python, Workers: judges(workers)})
		if err != nil {
			return nil, 0, exitError{exitOutside, err}
		}
		a.closeLater(box.Close)
		return box, judges(workers), nil
	case name == backendAuto:
		return a.either(ctx, python, say, workers)
	case name != backendWasm && name != "": // a run of before there was a choice
		return nil, 0, usageError{fmt.Errorf("unknown --backend %q", name), "auto, wasm or native"}
	case python != "":
		return nil, 0, usageError{errors.New("--python needs --backend native or auto"), ""}
	}
	return a.executor(ctx, fleet, say, workers)
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
	box, err := native.Open(ctx, native.Config{Python: python, Workers: n})
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		say("all programs run in WebAssembly, with its standard library only, for none can be jailed here: " + termtext.OneLine(err.Error()))
		return wasm, n, nil
	}
	a.closeLater(box.Close)
	both, err := native.NewAuto(ctx, wasm, box)
	if err != nil {
		return nil, 0, exitError{exitOutside, err}
	}
	return both, n, nil
}

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/spf13/cobra"
)

// What can judge programs.
const (
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
		"where programs run: wasm (the embedded interpreter) or native (this machine's Python in bubblewrap, with its packages)")
	fl.StringVar(python, "python", "", "interpreter of --backend native (default: python3)")
	complete(cmd, "backend", backendWasm, backendNative)
}

// backend opens what was chosen, and says how many programs it takes at once: workers, where that is not 0. fleet is the
// address of one, "" for the configuration's.
func (a *app) backend(ctx context.Context, name, python, fleet string, say func(string), workers int) (executor, int, error) {
	switch {
	case name == backendNative && fleet != "":
		return nil, 0, usageError{errors.New("--backend native and --fleet contradict each other"), "a fleet's workers judge with wasm"}
	case name == backendNative:
		box, err := native.Open(ctx, native.Config{Python: python, Workers: judges(workers)})
		if err != nil {
			return nil, 0, exitError{exitOutside, err}
		}
		a.closeLater(box.Close)
		return box, judges(workers), nil
	case name != backendWasm && name != "": // a run of before there was a choice
		return nil, 0, usageError{fmt.Errorf("unknown --backend %q", name), "wasm or native"}
	case python != "":
		return nil, 0, usageError{errors.New("--python needs --backend native"), ""}
	}
	return a.executor(ctx, fleet, say, workers)
}

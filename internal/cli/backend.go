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
type backendFlags struct{ backend, python string }

func (f *backendFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.backend, "backend", backendWasm,
		"where programs run: wasm (the embedded interpreter) or native (this machine's Python in bubblewrap, with its packages)")
	fl.StringVar(&f.python, "python", "", "interpreter of --backend native (default: python3)")
	complete(cmd, "backend", backendWasm, backendNative)
}

// open gives what was chosen, for workers programs at a time.
func (f backendFlags) open(ctx context.Context, a *app, say func(string), workers int) (executor, error) {
	switch {
	case f.backend == backendNative:
		box, err := native.Open(ctx, native.Config{Python: f.python, Workers: workers})
		if err != nil {
			return nil, exitError{exitOutside, err}
		}
		return box, nil
	case f.backend != backendWasm && f.backend != "": // a run of before there was a choice
		return nil, usageError{fmt.Errorf("unknown --backend %q", f.backend), "wasm or native"}
	case f.python != "":
		return nil, usageError{errors.New("--python needs --backend native"), ""}
	}
	return a.programs(say, workers), nil
}

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

// backend opens what was chosen, for workers programs at a time.
func (a *app) backend(ctx context.Context, name, python string, say func(string), workers int) (executor, error) {
	switch {
	case name == backendNative:
		box, err := native.Open(ctx, native.Config{Python: python, Workers: workers})
		if err != nil {
			return nil, exitError{exitOutside, err}
		}
		return box, nil
	case name != backendWasm && name != "": // a run of before there was a choice
		return nil, usageError{fmt.Errorf("unknown --backend %q", name), "wasm or native"}
	case python != "":
		return nil, usageError{errors.New("--python needs --backend native"), ""}
	}
	return a.programs(say, workers), nil
}

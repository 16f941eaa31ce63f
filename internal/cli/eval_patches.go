package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/localisation/patches"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/spf13/cobra"
)

// patchesFlags are the flags of eval patches.
type patchesFlags struct {
	data, repos, venvs, predictions, out string
	timeout                              time.Duration
	concurrency                          int
}

func (a *app) evalPatchesCommand() *cobra.Command {
	var f patchesFlags
	cmd := &cobra.Command{
		Use:   "patches",
		Short: "Try proposed patches of localisation's issues: do they apply, parse, and pass the tests of the fix",
		Long: `Try the patches of a predictions.jsonl, or only the control: for each record, the tests that came with its fix are run
without the fix and with it. Repositories and patches run in a jail (bubblewrap: no network, nothing but the repository and
the Python in sight) with a virtual environment that you made: --venvs DIR has DIR/owner__name, or DIR/owner__name@VERSION
for one version of the project. Nothing is installed here. Results go to --out, a line a record; the same command goes on
after Ctrl-C.`,
		Example: `  python3.9 -m venv venvs/sympy__sympy && venvs/sympy__sympy/bin/pip install mpmath==1.3.0 'pytest<8'
  deeprepo eval patches --data lite.jsonl --repos checkouts --venvs venvs            # the control: before and after the fix
  deeprepo eval patches --data lite.jsonl --venvs venvs --predictions runs/mini/predictions.jsonl --out tried.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.evalPatches(cmd.Context(), f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.data, "data", "", "localisation's records, with version, test_patch and FAIL_TO_PASS")
	fl.StringVar(&f.repos, "repos", "", "directory with the checkouts, each in owner__name (default: repos beside the records)")
	fl.StringVar(&f.venvs, "venvs", "", "directory with virtual environments, each in owner__name@VERSION or owner__name")
	fl.StringVar(&f.predictions, "predictions", "", "file of patches, as eval localisation leaves it (default: only the control)")
	fl.StringVarP(&f.out, "out", "o", "patches.jsonl", "file for the results; what it holds is not tried again")
	fl.DurationVar(&f.timeout, "timeout", patches.DefaultTimeout, "time for one run of an issue's tests")
	fl.IntVarP(&f.concurrency, "concurrency", "c", runtime.NumCPU(), "issues that are tried at once")
	return cmd
}

func (a *app) evalPatches(ctx context.Context, f patchesFlags) error {
	if f.data == "" || f.venvs == "" {
		return usageError{errors.New("eval patches needs --data and --venvs"), "deeprepo eval patches --data lite.jsonl --venvs venvs"}
	}
	if f.concurrency < 1 || f.timeout <= 0 {
		return usageError{errors.New("--concurrency and --timeout must be positive"), ""}
	}
	c := patches.Config{Repos: f.repos, Venvs: f.venvs, Out: f.out, Timeout: f.timeout, Workers: f.concurrency, Parser: a.parser}
	if c.Repos == "" {
		c.Repos = filepath.Join(filepath.Dir(f.data), "repos")
	}
	var err error
	if c.Records, err = localisation.OpenRecords(f.data); err != nil {
		return err
	}
	if f.predictions != "" {
		if c.Predictions, err = patches.ReadPredictions(f.predictions); err != nil {
			return err
		}
	}
	p := a.newProgress()
	holds := 0
	c.Observe = func(r patches.Row, done, total int) {
		if h := r.Control.Holds; h != nil && *h {
			holds++
		}
		p.count(fmt.Sprintf("issues, control holds for %d", holds), done, total)
	}
	rows, err := patches.Run(ctx, c)
	p.close()
	if errors.As(err, new(*native.Error)) {
		return exitError{exitOutside, err}
	}
	if err != nil {
		if len(rows) > 0 {
			a.say(fmt.Sprintf("%d of %d records are in %s; the same command goes on", len(rows), len(c.Records), f.out))
		}
		return err
	}
	s := patches.Summarise(rows)
	return a.print(s, func(w io.Writer) error {
		if err := s.Write(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "results: %s\n", f.out)
		return err
	})
}

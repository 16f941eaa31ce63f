package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bench"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

// maxBenchFile bounds a bench's configuration.
const maxBenchFile = 4 << 20

func (a *app) benchCommand() *cobra.Command {
	var out, amount string
	cmd := &cobra.Command{
		Use:   "bench CONFIG.toml",
		Short: "Compare roots, workers and strategies on the same codebases",
		Long: `Review the same codebases with several configurations of root, worker and strategy, and compare them: cost,
dispatches, coverage, recall, findings that only one of them made, how each proceeded, and which differences are
more than chance.

CONFIG.toml, with paths relative to the current directory:

  out     = "runs/bench"            # or --out; default: a fresh directory below runs
  budget  = 5.0                     # USD, for everything; never exceeded
  repeats = 1
  target  = "sonnet-gate"           # the others' behaviour is compared with this one
  [[codebase]]
  path  = "/tmp/g"                  # a directory of env generate, tree and truth.json; or any repository,
  truth = "truth.json"              # with or without a truth
  [[codebase]]
  environment = "orchestration"     # generated, with its truth
  split = "heldout"
  language = "go"
  difficulty = "medium"
  count = 4
  [[config]]
  name = "sonnet-gate"
  root = "anthropic/claude-sonnet-4-5"   # or offline/orchestrator, policy/honest, ...
  worker = "rules"                  # or provider/model, or sim for generated codebases
  strategy = "rlm+gate"             # single, rlm, rlm+prompt, rlm+gate
  max_turns = 20

Every run is a review in its own directory below out. A failed run is shown as failed and does not affect the others;
deeprepo resume DIR continues.`,
		Example: `  deeprepo bench bench.toml
  deeprepo bench bench.toml --out runs/tonight --budget 10
  deeprepo resume runs/tonight`,
		Args: one("bench", "CONFIG.toml", "deeprepo bench --help shows its contents"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.bench(cmd, args[0], out, amount) },
	}
	a.waiting.add(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory for the runs and the tables (default: the file's, else runs/bench-TIME)")
	cmd.Flags().StringVar(&amount, "budget", "", "maximum cost of all runs together, in USD (default: the file's)")
	return cmd
}

func (a *app) bench(cmd *cobra.Command, name, out, amount string) error {
	spec, err := readSpec(name)
	if err != nil {
		return err
	}
	if out != "" {
		spec.Out = out
	}
	usd, err := budget(amount, spec.Budget)
	if err != nil {
		return err
	}
	if usd != nil {
		x := usd.Float64()
		spec.Budget = &x
	}
	p := newProgress(a.stderr)
	defer p.close()
	e, err := a.benchEnv(p)
	if err != nil {
		return err
	}
	result, err := bench.Run(cmd.Context(), spec, e)
	p.close()
	return a.finishBench(result, err)
}

// readSpec reads a bench's configuration.
func readSpec(name string) (bench.Spec, error) {
	f, err := os.Open(name)
	if err != nil {
		return bench.Spec{}, usageError{fmt.Errorf("bench: %w", err), "deeprepo bench --help shows the contents of CONFIG.toml"}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBenchFile))
	if err != nil {
		return bench.Spec{}, fmt.Errorf("bench: %w", err)
	}
	spec, err := bench.Parse(data)
	if err != nil {
		return spec, usageError{fmt.Errorf("%s: %w", name, err), hint.Of(err)}
	}
	return spec, nil
}

func (a *app) benchEnv(p *progress) (bench.Env, error) {
	_, registry, err := a.open()
	if err != nil {
		return bench.Env{}, err
	}
	registerPolicies(registry)
	return bench.Env{
		Registry: registry, Sandbox: &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()},
		Environment: func(ctx context.Context, name string) (env.Environment, error) {
			return catalog.Open(ctx, name, a.catalog(""))
		},
		WriteTask: writeTask, Version: version(), Observe: benchShown(p), Say: p.say,
	}, nil
}

// finishBench prints a bench's outcome and turns it into an exit code.
func (a *app) finishBench(out bench.Outcome, err error) error {
	if out.Dir == "" {
		return err
	}
	if len(out.Result.Rows) > 0 {
		var werr error
		if a.json {
			werr = bench.WriteJSON(a.stdout, out.Result)
		} else if werr = bench.WriteText(a.stdout, out.Result); werr == nil {
			fmt.Fprintf(a.stdout, "\nresults: %s/%s.html, .md, .json\n", termtext.Masked(out.Dir), bench.ResultName)
		}
		if werr != nil {
			return werr
		}
	}
	return ended(err, out.Dir)
}

// resumeBench continues a bench.
func (a *app) resumeBench(cmd *cobra.Command, dir, amount string) error {
	usd, err := budget(amount, nil)
	if err != nil {
		return err
	}
	var more *float64
	if usd != nil {
		x := usd.Float64()
		more = &x
	}
	p := newProgress(a.stderr)
	defer p.close()
	e, err := a.benchEnv(p)
	if err != nil {
		return err
	}
	out, err := bench.Resume(cmd.Context(), dir, more, e)
	p.close()
	return a.finishBench(out, err)
}

// benchShown shows a bench on p: the run that is in progress, redrawn on a terminal, a line for each run elsewhere.
func benchShown(p *progress) func(bench.Progress) {
	return func(s bench.Progress) {
		line := fmt.Sprintf("run %d/%d  %s on %s", s.Run, s.Total, termtext.Masked(s.Config), termtext.Masked(s.Codebase))
		line = strings.NewReplacer("\n", " ", "\t", " ").Replace(line)
		if s.Review.MaxTurns > 0 {
			line += "  " + p.line(s.Review, 80)
		}
		p.show(line, strconv.Itoa(s.Run))
	}
}

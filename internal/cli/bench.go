package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bench"
	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

// maxBenchFile bounds a bench's configuration.
const maxBenchFile = 4 << 20

func (a *app) benchCommand() *cobra.Command {
	var out, amount, fleet string
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
		RunE: func(cmd *cobra.Command, args []string) error { return a.bench(cmd, args[0], out, amount, fleet) },
	}
	a.waiting.add(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory for the runs and the tables (default: the file's, else runs/bench-TIME)")
	cmd.Flags().StringVar(&amount, "budget", "", "maximum cost of all runs together, in USD (default: the file's)")
	fleetFlag(cmd, &fleet, "run the reviews on a fleet, with its workers' keys, as many at once as it has slots")
	return cmd
}

func (a *app) bench(cmd *cobra.Command, name, out, amount, fleet string) error {
	spec, err := readSpec(name)
	if err != nil {
		return err
	}
	spec.Out, spec.Fleet = cmp.Or(out, spec.Out), cmp.Or(fleet, spec.Fleet)
	return a.playBench(cmd.Context(), spec.Fleet, amount, spec.Budget, func(usd *float64, e bench.Env) (bench.Outcome, error) {
		spec.Budget = usd
		return bench.Run(cmd.Context(), spec, e)
	})
}

// resumeBench continues a bench.
func (a *app) resumeBench(cmd *cobra.Command, dir, amount string) error {
	return a.playBench(cmd.Context(), bench.FleetOf(dir), amount, nil, func(usd *float64, e bench.Env) (bench.Outcome, error) {
		return bench.Resume(cmd.Context(), dir, usd, e)
	})
}

// playBench has play begin or continue a bench with the budget that the flag or the configuration gives.
func (a *app) playBench(ctx context.Context, fleet, amount string, configured *float64,
	play func(*float64, bench.Env) (bench.Outcome, error)) error {
	usd, err := budget(amount, configured)
	if err != nil {
		return err
	}
	var dollars *float64
	if usd != nil {
		dollars = new(usd.Float64())
	}
	p := a.newProgress()
	e, err := a.benchEnv(p)
	if err != nil {
		return err
	}
	if e.Elsewhere, e.AtOnce, err = a.reviewedElsewhere(ctx, fleet, p.say); err != nil {
		return err
	}
	out, err := play(dollars, e)
	p.close()
	return a.finishBench(out, err)
}

// readSpec reads a bench's configuration.
func readSpec(name string) (bench.Spec, error) {
	data, err := bounded.ReadFile(name, maxBenchFile)
	if err != nil {
		return bench.Spec{}, usageError{fmt.Errorf("bench: %w", err),
			cmp.Or(hint.Of(err), "deeprepo bench --help shows the contents of CONFIG.toml")}
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
	box := &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()}
	return bench.Env{
		Registry: registry, Sandbox: box, Programs: box, Syntax: a.parser, GraphDir: a.graphDir(),
		Environment: func(ctx context.Context, name string) (env.Environment, error) {
			return catalog.Open(ctx, name, a.catalog(""))
		},
		WriteTask: writeTask, Version: version(), Observe: benchShown(p), Say: p.say, Opened: a.keepFleet,
	}, nil
}

// finishBench prints a bench's outcome and turns it into an exit code.
func (a *app) finishBench(out bench.Outcome, err error) error {
	if out.Dir == "" {
		return err
	}
	if len(out.Result.Rows) > 0 {
		werr := a.print(out.Result, func(w io.Writer) error {
			err := bench.WriteText(w, out.Result)
			fmt.Fprintf(w, "\nresults: %s/%s.html, .md, .json\n", out.Dir, bench.ResultName)
			return err
		})
		if werr != nil {
			return werr
		}
	}
	return ended(err, out.Dir)
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

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Defaults of eval, which are verifiers'.
const (
	defaultExamples = 5
	defaultRollouts = 3
)

// mostRollouts is the most of one eval, whose rollouts are listed before the first is played and counted after each.
const mostRollouts = 100_000

// evalFlags are the flags of eval. o has what a flag sets by itself.
type evalFlags struct {
	taskFlags
	o             eval.Options
	budget, score string
	temperature   float64
}

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval ENV",
		Short: "Play examples x rollouts with a model in an environment, with intervals",
		Long: `Play every example several times and print the rewards: verifiers' result block, then intervals with the task as the
unit, tasks, conduct and cost. The directory holds results.jsonl and metadata.json in verifiers' format, all traces,
and what resume needs. A rollout that ends in an error is counted as an error, never as reward 0.

The model may be provider/model, offline/orchestrator, offline/localiser (where an issue belongs, without a model), or a
scripted policy: policy/NAME with one of these names:
` + strings.Join(policy.Names(), ", ") + `.`,
		Example: `  deeprepo eval orchestration                                  # offline/orchestrator, simulated workers
  deeprepo eval orchestration -m openai/gpt-5-mini -n 20 -r 3 --budget 5 --out runs/mini
  deeprepo eval orchestration -m local/any --worker rules --split heldout --difficulty medium
  deeprepo eval orchestration-v1 -m policy/honest --data mini.json -n 3 -r 2
  deeprepo eval /tmp/codebase                                  # what env generate wrote, or a tasks.jsonl
  deeprepo eval quixbugs --data quixbugs -m openai/gpt-5-mini
  deeprepo eval localisation --data lite.jsonl --repos checkouts -m openai/gpt-5-mini
  deeprepo eval localisation --data lite.jsonl --repos checkouts -m offline/localiser   # no model at all
  deeprepo eval localisation --score rankings.jsonl            # rankings made elsewhere
  deeprepo eval orchestration -n 100 -r 8 --fleet nats://hub:4222   # on many machines
  deeprepo resume runs/mini                                    # continue after Ctrl-C, a crash or an outage
  deeprepo eval compare runs/before runs/after`,
		Args: oneEnvironment(), ValidArgsFunction: completeEnvironment,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("score") {
				return a.scoreRankings(cmd.Context(), args[0], f)
			}
			return a.eval(cmd, args[0], f)
		},
	}
	f.add(cmd)
	a.waiting.add(cmd)
	fleetFlag(cmd, &f.o.Fleet, "play the rollouts on a fleet, with its workers' keys")
	fl := cmd.Flags()
	fl.StringVarP(&f.o.Model, "model", "m", "", "the policy, provider/model (default: by the keys that are set, else offline/orchestrator)")
	fl.StringVar(&f.o.Worker, "worker", env.WorkerSim, "the workers: sim (the environment's own), rules, or provider/model")
	fl.IntVarP(&f.o.Examples, "examples", "n", 0, "tasks to play (default 5, or all if there are fewer)")
	fl.IntVarP(&f.o.Rollouts, "rollouts", "r", defaultRollouts, "rollouts per task")
	fl.StringVarP(&f.o.Out, "out", "o", "", "directory for the results (default runs/eval-ENV-TIME)")
	fl.StringVar(&f.o.Strategy, "strategy", env.StrategyRLM, strings.Join(env.Strategies(), ", "))
	fl.StringVar(&f.budget, "budget", "", "maximum cost of all rollouts together, in USD; never exceeded")
	fl.IntVarP(&f.o.Concurrency, "concurrency", "c", 0, "concurrent rollouts (default 8)")
	fl.IntVar(&f.o.MaxTurns, "max-turns", 0, "maximum turns of the policy (default: the environment's own)")
	fl.IntVar(&f.o.MaxTokens, "max-tokens", 0, "maximum tokens of each of the policy's replies")
	fl.Float64VarP(&f.temperature, "temperature", "t", 0, "sampling temperature of the policy (default: the provider's own)")
	fl.BoolVar(&f.o.Patch, "patch", false, "localisation: ask for a patch, too; deeprepo eval patches tries those in predictions.jsonl")
	fl.BoolVar(&f.o.Unaided, "unaided", false, "localisation: roots go without localise() and search(), to see what those add")
	fl.StringVar(&f.score, "score", "", "localisation: only score the rankings in a file, {instance_id, gold_files, found_files, ...} a line")
	fl.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "language" {
			name = "lang"
		}
		return pflag.NormalizedName(name)
	})
	complete(cmd, "strategy", env.Strategies()...)
	complete(cmd, "worker", env.WorkerSim, env.WorkerRules)
	cmd.AddCommand(a.evalCompareCommand(), a.evalPatchesCommand())
	return cmd
}

func (a *app) eval(cmd *cobra.Command, name string, f evalFlags) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	o, err := a.evalOptions(cmd, name, f, c)
	if err != nil {
		return err
	}
	p := a.newProgress()
	run, err := a.evalConfig(cmd.Context(), o, c, p)
	if err != nil {
		return err
	}
	if err := fits(cmd, run.Environment); err != nil {
		return err
	}
	size := run.Environment.Size(f.Selection)
	if size == 0 { // endless, or nothing at all: that should be known before a directory is made
		if _, err := run.Environment.Task(cmd.Context(), f.Selection, 0); err != nil {
			return err
		}
	}
	if o.Examples == 0 && !cmd.Flags().Changed("examples") {
		o.Examples = defaultExamples
		if size > 0 {
			o.Examples = min(o.Examples, size)
		}
	}
	if o.Examples > mostRollouts || o.Rollouts > mostRollouts || o.Examples*o.Rollouts > mostRollouts {
		return usageError{fmt.Errorf("%d examples, %d times each: an eval has at most %d rollouts", o.Examples, o.Rollouts, mostRollouts),
			"-n 20 -r 3 plays 60"}
	}
	if run.Elsewhere != nil && o.Concurrency == 0 {
		o.Concurrency = onTheFleet
	}
	if f.o.Model == "" && o.Model == offline.Name {
		p.say("no model is named and no key is set: the policy is offline/orchestrator, a script")
	}
	out, err := eval.Run(cmd.Context(), o, run)
	p.close()
	return a.finishEval(out, err)
}

// evalOptions makes an eval's options of the flags and the configuration; flags win.
func (a *app) evalOptions(cmd *cobra.Command, name string, f evalFlags, c config) (eval.Options, error) {
	o := f.o
	if f.o.Patch && name != localisation.Name {
		return o, usageError{fmt.Errorf("--patch is for localisation, not for %s", name), "deeprepo eval localisation --patch"}
	}
	if f.o.Unaided && name != localisation.Name {
		return o, usageError{fmt.Errorf("--unaided is for localisation, not for %s", name), "deeprepo eval localisation --unaided"}
	}
	s, err := f.selection()
	if err != nil {
		return o, err
	}
	if o.Model, _, err = a.chooseModels(cmp.Or(o.Model, c.text("root")), env.WorkerSim, false); err != nil {
		return o, err
	}
	o.Environment, o.Data, o.Repos = name, f.data, f.repos
	o.Split, o.Seed, o.Language, o.Difficulty, o.Files = s.Split, s.Seed, s.Language, s.Difficulty, s.Files
	switch o.Worker {
	case env.WorkerSim:
		o.Worker = ""
	case env.WorkerRules:
		o.Worker = rules.Name
	}
	if cmd.Flags().Changed("temperature") {
		o.Temperature = &f.temperature
	}
	o.Budget, err = budget(cmp.Or(f.budget, c.text("budget")), nil)
	return o, err
}

// evalConfig opens the environment and the models that options name, and the fleet.
func (a *app) evalConfig(ctx context.Context, o eval.Options, c config, p *progress) (eval.Config, error) {
	run, err := a.evalModels(ctx, o, c, &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()}, p.say)
	if err != nil {
		return run, err
	}
	run.Observe, run.Opened = evalShown(p), a.keepFleet
	elsewhere, err := a.playedElsewhere(ctx, o.Fleet, p.say)
	if elsewhere != nil { // a nil pointer in it would not be nil
		run.Elsewhere = elsewhere
	}
	return run, err
}

// evalModels opens the environment and the models that options name on this machine.
func (a *app) evalModels(ctx context.Context, o eval.Options, c config, box rlm.Sandbox, say func(string)) (eval.Config, error) {
	from := a.catalog(o.Data)
	from.Repos, from.Snapshots, from.Patch, from.Unaided = o.Repos, o.Snapshots, o.Patch, o.Unaided
	e, err := catalog.Open(ctx, o.Environment, from)
	if err != nil {
		return eval.Config{}, err
	}
	registry, err := a.registry(c)
	if err != nil {
		return eval.Config{}, err
	}
	registerPolicies(registry)
	models := llm.NewOpener(llm.OpenerConfig{Registry: registry, Root: o.Model, Worker: o.Worker, Run: "eval", Say: say})
	run := eval.Config{Environment: e, Root: models.Root, Sandbox: box, Provider: address(registry, o.Model), Version: version(), Say: say}
	if o.Worker != "" {
		run.Worker = models.Worker
	}
	return run, nil
}

// address is the base URL of a model's provider, "" for those inside this program. The context has ended, so no model
// is asked.
func address(registry *llm.Registry, model string) string {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	name, _, _ := strings.Cut(model, "/")
	for _, s := range registry.List(ctx) {
		if s.Provider == name {
			return s.Address
		}
	}
	return ""
}

// finishEval prints an eval's outcome and turns it into an exit code.
func (a *app) finishEval(out eval.Outcome, err error) error {
	if errors.As(err, new(*eval.CorruptError)) {
		return exitError{exitOutside, err}
	}
	if out.Dir == "" {
		return err
	}
	if werr := a.writePredictions(out); werr != nil {
		return werr
	}
	werr := a.print(out.Summary, func(w io.Writer) error {
		if out.Summary.Done == 0 {
			return nil
		}
		block := eval.WriteBlock(w, out.Header, out.Results)
		fmt.Fprintln(w)
		detail := eval.WriteDetail(w, out.Summary)
		fmt.Fprintf(w, "\nresults: %s/%s, %s, %s, %s\n", out.Dir, eval.ResultsName, eval.MetadataName, eval.TracesName, eval.SummaryName)
		return errors.Join(block, detail, writeLevels(w, out))
	})
	if werr != nil {
		return werr
	}
	if err == nil && out.Summary.Errors > 0 {
		a.say(fmt.Sprintf("%d rollouts ended in an error; deeprepo resume %s plays them again", out.Summary.Errors, out.Dir))
	}
	return ended(err, out.Dir)
}

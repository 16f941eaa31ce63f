package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/train/sft"
	"github.com/spf13/cobra"
)

func (a *app) trainCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "train",
		Short: "Train a model to orchestrate, and measure whether it helped",
		Long: `Train a policy here, on the CPU, in Go: first lessons (sft), then reinforcement in an environment (grpo).

Every training ends by comparing the policy before and after on held-out tasks, with intervals, a paired test and
caveats. The result is a model: use it as nano/DIR wherever a model name is accepted.`,
		Example: `  deeprepo train grpo --recipe smoke --out runs/smoke      # minutes: shows that everything works
  deeprepo train grpo --recipe full --out runs/full        # first lessons, then 100 steps of 128 rollouts
  deeprepo resume runs/full                                # continue after Ctrl-C or a crash
  deeprepo train compare runs/seed1 runs/seed2 runs/seed3  # means over seeds; effect of size and of training
  deeprepo analyze . --root nano/runs/full                 # use it
  deeprepo train export runs/full --out /tmp/policy        # for transformers, PEFT, vLLM`,
	}, a.trainSFTCommand(), a.trainGRPOCommand(), a.trainDPOCommand(), a.trainExportCommand(), a.trainCompareCommand())
}

// trainFlags are those that all trainings have.
type trainFlags struct {
	recipe, out, from, size, weights string
	seed                             int64
	demos, tokens, heldout           int
	hours                            hours
}

func (f *trainFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.recipe, "recipe", recipe.Full, "smoke (minutes: shows that everything works) or full (a result worth keeping)")
	fl.StringVarP(&f.out, "out", "o", "", "directory of the training (default runs/train-METHOD-TIME); the same command continues it")
	fl.StringVar(&f.from, "from", "", "directory of a model or a training to start from (default: a new model)")
	fl.StringVar(&f.size, "size", sft.Small, "size of a new model: tiny (0.4M parameters), small (1M), medium (3M) or large (7M)")
	fl.Int64Var(&f.seed, "seed", 0, "seed that decides demonstrations, first weights, tasks and luck")
	fl.IntVar(&f.demos, "demos", 0, "first lessons: number of demonstrations (default: full 2000, smoke 600)")
	fl.IntVar(&f.tokens, "tokens", 0, "first lessons: tokens to read of them (default: full 3000000, smoke 600000)")
	fl.IntVar(&f.heldout, "heldout", 0, "held-out tasks before, after and in between (default: full 64, smoke 32)")
	fl.StringVar(&f.weights, "weights", recipe.F32, "weights of the --from model in computation, below an adapter: "+
		strings.Join(recipe.Weights(), " or ")+", a quarter of the memory and faster")
	f.hours.add(cmd)
	complete(cmd, "weights", recipe.Weights()...)
	complete(cmd, "recipe", recipe.Recipes()...)
	complete(cmd, "size", sft.Sizes()...)
}

// hours is how long a training may take here; 0 is as long as it takes.
type hours float64

func (h *hours) add(cmd *cobra.Command) {
	cmd.Flags().Float64Var((*float64)(h), "hours", 0,
		"train for so many hours at most, then save and stop; resume continues (default: no limit)")
}

// within ends a context after the hours.
func (h hours) within(ctx context.Context) (context.Context, context.CancelFunc, error) {
	switch {
	case h == 0:
		return ctx, func() {}, nil
	case !(h > 0 && h <= 24*365):
		return nil, nil, usageError{fmt.Errorf("--hours %g is not a number of hours above 0", float64(h)), "for example --hours 2.5"}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(float64(h)*float64(time.Hour)), errHours)
	return ctx, cancel, nil
}

var errHours = errors.New("the time that --hours gave is over")

// taskChoiceFlags choose the tasks that a training plays.
type taskChoiceFlags struct{ difficulty, lang string }

func (f *taskChoiceFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.difficulty, "difficulty", env.Easy, "difficulty of all tasks: easy, medium or hard")
	fl.StringVar(&f.lang, "lang", "", "language of the tasks trained and measured on (default: all in turn)")
	complete(cmd, "difficulty", env.Easy, env.Medium, env.Hard)
	complete(cmd, "lang", language.Grown()...)
}

// choose has the flags choose the tasks that are trained and measured on.
func (f *taskChoiceFlags) choose(o *recipe.Options, played *train.TaskChoice) error {
	if _, err := (taskFlags{Selection: env.Selection{Split: env.Train, Language: f.lang, Difficulty: f.difficulty}}).selection(); err != nil {
		return err
	}
	if f.difficulty != env.Easy {
		played.Difficulty, o.Measure.Difficulty, o.SFT.Difficulties = f.difficulty, f.difficulty, []string{f.difficulty}
	}
	if f.lang != "" {
		played.Language, o.Measure.Language = f.lang, f.lang
	}
	return nil
}

// options are a recipe's with what the flags change of it.
func (f *trainFlags) options(cmd *cobra.Command, method string) (recipe.Options, error) {
	o, err := recipe.Default(method, f.recipe)
	if err != nil {
		return o, usage(err)
	}
	if cmd.Flags().Changed("size") && f.from != "" {
		return o, usageError{errors.New("--size is for a new model, and --from names an existing one"), "omit one of them"}
	}
	if o.From, err = rooted(f.from); err != nil {
		return o, err
	}
	o.SFT.Size, o.SFT.Seed = f.size, f.seed
	if o.Weights = f.weights; o.Weights == recipe.F32 {
		o.Weights = "" // the default, as plans say it
	}
	if err := ints(cmd, map[string]*int{"demos": &o.SFT.Episodes, "tokens": &o.SFT.Tokens, "heldout": &o.Measure.Tasks}); err != nil {
		return o, err
	}
	if f.demos > 0 { // some are kept for measuring
		o.SFT.Heldout = min(64, max(1, f.demos/4))
	}
	return o, nil
}

// rooted makes paths absolute, a file's or those in a policy's name, where they are there: a plan can be continued from
// any directory.
func rooted(name string) (string, error) {
	if name == "" || name == nano.Orchestrator {
		return name, nil
	}
	parts := strings.SplitN(name, ":", 2)
	for i, dir := range parts {
		if _, err := os.Stat(dir); err != nil {
			continue // what opens it says so
		}
		var err error
		if parts[i], err = filepath.Abs(dir); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, ":"), nil
}

// ints sets what flags change, and refuses what is below 1.
func ints(cmd *cobra.Command, flags map[string]*int) error {
	for name, to := range flags {
		if !cmd.Flags().Changed(name) {
			continue
		}
		v, err := cmd.Flags().GetInt(name)
		if err != nil || v < 1 {
			return usageError{fmt.Errorf("--%s %d is less than 1", name, v), cmd.CommandPath() + " --help says what it means"}
		}
		*to = v
	}
	return nil
}

// amounts sets what flags change, and refuses what is below 0, and 0 where that is none of those that may be.
func amounts(cmd *cobra.Command, flags map[string]*float64, mayBeZero ...string) error {
	for name, to := range flags {
		if !cmd.Flags().Changed(name) {
			continue
		}
		var err error
		if *to, err = cmd.Flags().GetFloat64(name); err != nil || !(*to >= 0) || *to == 0 && !slices.Contains(mayBeZero, name) {
			return usageError{fmt.Errorf("invalid --%s %g", name, *to), ""}
		}
	}
	return nil
}

// usage is a mistake of the user's that another package found; its hint stays.
func usage(err error) error {
	return usageError{err, hint.Of(err)}
}

func (a *app) trainSFTCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use: "sft", Short: "First lessons: a new model learns to continue demonstrations, good and bad",
		Long: `Play scripted policies of deliberately mixed quality in the environment, learn a vocabulary from them, and train a model to
continue them: some delegate well, others finish early, explore without end or write broken code. The model has their
faults, so that reinforcement has something to choose from.

train grpo does this by itself if it gets no model.`,
		Example: `  deeprepo train sft --recipe smoke --out runs/first
  deeprepo train sft --size medium --demos 4000 --seed 7 --out runs/medium
  deeprepo train grpo --from runs/first --out runs/better`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd, sft.Method)
			if err != nil {
				return err
			}
			return a.train(cmd, o, f.out, f.hours)
		},
	}
	f.add(cmd)
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%s takes no argument, got %q", cmd.CommandPath(), args[0]), "name the directory with --out DIR"}
}

// trainWith trains by the options that flags make, or hands over to the engine that they name: then flags of ours other than
// those it takes are refused.
func (a *app) trainWith(cmd *cobra.Command, f engineFlags, out string, h hours,
	options func(*cobra.Command) (recipe.Options, error), takes ...string) error {
	other, err := f.chosen(cmd, takes...)
	if err != nil {
		return err
	}
	if other {
		return a.handOver(cmd, f, out)
	}
	o, err := options(cmd)
	if err != nil {
		return err
	}
	return a.train(cmd, o, out, h)
}

// train trains by a recipe, or continues such a training.
func (a *app) train(cmd *cobra.Command, o recipe.Options, out string, h hours) error {
	ctx, cancel, err := h.within(cmd.Context())
	if err != nil {
		return err
	}
	defer cancel()
	p := a.newTrainProgress()
	c := recipe.Config{Sandbox: &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()}, Out: out, Version: version(),
		Observe: p.observe, Say: p.say}
	if c.Environment, err = a.environment(ctx, o.Environment, o.Data, ""); err != nil {
		return err
	}
	if c.Measured, err = a.environment(ctx, o.Measure.Environment, "", ""); err != nil {
		return err
	}
	if c.Demonstrated, err = a.environment(ctx, recipe.DefaultEnvironment, "", ""); err != nil {
		return err
	}
	if o.Method == grpo.Method {
		if c.Elsewhere, err = a.trainedElsewhere(ctx, o.Fleet, o.Data, p.say); err != nil {
			return err
		}
		c.Opened = a.keepFleet
	}
	if c.Out == "" { // only once all that can be wrong is right
		if c.Out, err = train.Fresh(o.Method, time.Now()); err != nil {
			return err
		}
	}
	s, err := recipe.Run(ctx, o, c)
	p.close()
	if stopped := new(rundir.Stopped); errors.As(err, &stopped) && errors.Is(context.Cause(ctx), errHours) {
		stopped.Why = errHours.Error()
	}
	return a.finishTrain(s, err)
}

// resumeTrain continues a training.
func (a *app) resumeTrain(cmd *cobra.Command, dir string, h hours) error {
	o, err := recipe.ReadPlan(dir)
	if err != nil {
		return err
	}
	return a.train(cmd, o, dir, h)
}

// finishTrain prints what a training came to and turns it into an exit code.
func (a *app) finishTrain(s runfile.TrainingSummary, err error) error {
	diverged := errors.As(err, new(*grpo.Diverged))
	switch {
	case errors.As(err, new(*rundir.Stopped)):
		return exitError{exitOutside, err}
	case err != nil && !diverged:
		return err
	}
	werr := a.print(s, func(w io.Writer) error {
		err := report.WriteText(w, s)
		fmt.Fprintf(w, "\nresults: %s/%s, %s; as a model: nano/%s\n", s.Run, train.SummaryName, train.ReportName, s.Run)
		return err
	})
	if werr != nil {
		return werr
	}
	if diverged {
		return exitError{exitNo, err}
	}
	return refused(s)
}

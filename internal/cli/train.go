package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/train/sft"
)

func (a *app) trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a small model to orchestrate, and know whether it helped",
		Long: `Train a policy here, on the CPU: first lessons (sft), then reinforcement in an environment (grpo). Every training ends with
the policy before and after on held-out tasks. What it leaves is a model: nano/DIR goes wherever a model goes.`,
		Example: `  deeprepo train grpo --recipe smoke --out runs/smoke      # minutes: shows that everything works
  deeprepo train grpo --recipe full --out runs/full        # sft, then 100 steps of 128 rollouts
  deeprepo resume runs/full                                # go on after Ctrl-C
  deeprepo eval orchestration -m nano/runs/full --split heldout`,
		Args: commandOf,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trainSFTCommand(), a.trainGRPOCommand())
	return cmd
}

// trainFlags are those that all trainings have.
type trainFlags struct {
	recipe, out, from, size string
	seed                    int64
	demos, tokens, heldout  int
}

func (f *trainFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.recipe, "recipe", recipe.Full, "smoke (minutes: shows that everything works) or full (a result worth keeping)")
	fl.StringVarP(&f.out, "out", "o", "", "directory of the training (default runs/train-METHOD-TIME)")
	fl.StringVar(&f.from, "from", "", "directory of a model or a training to begin with (default: a new model)")
	fl.StringVar(&f.size, "size", sft.Small, "of a new model: small (1M parameters), medium (3M) or large (7M)")
	fl.Int64Var(&f.seed, "seed", 0, "decides demonstrations, weights, tasks and luck")
	fl.IntVar(&f.demos, "demos", 0, "demonstrations that a new model learns from (default: the recipe's)")
	fl.IntVar(&f.tokens, "tokens", 0, "tokens that a new model reads of them (default: the recipe's)")
	fl.IntVar(&f.heldout, "heldout", 0, "held-out tasks, before, after and in between (default: the recipe's)")
	complete(cmd, "recipe", recipe.Recipes()...)
	complete(cmd, "size", sft.Sizes()...)
}

// options are a recipe's with what the flags change of it.
func (f *trainFlags) options(cmd *cobra.Command, method string) (recipe.Options, error) {
	o, err := recipe.Default(method, f.recipe)
	if err != nil {
		return o, usage(err)
	}
	for _, n := range []string{"demos", "tokens", "heldout"} {
		if v, _ := cmd.Flags().GetInt(n); v < 1 && cmd.Flags().Changed(n) {
			return o, usageError{fmt.Errorf("--%s must be at least 1", n), ""}
		}
	}
	o.From, o.SFT.Size, o.SFT.Seed = f.from, f.size, f.seed
	if f.demos > 0 {
		o.SFT.Episodes = f.demos
	}
	if f.tokens > 0 {
		o.SFT.Tokens = f.tokens
	}
	if f.heldout > 0 {
		o.Measure.Tasks = f.heldout
	}
	if o.GRPO != nil {
		o.GRPO.Seed = f.seed
		if f.heldout > 0 {
			o.GRPO.Heldout = f.heldout
		}
	}
	return o, nil
}

func (a *app) trainSFTCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use: "sft", Short: "First lessons: a model learns to continue demonstrations of mixed quality", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd, sft.Method)
			if err != nil {
				return err
			}
			return a.train(cmd, o, f.out)
		},
	}
	f.add(cmd)
	return cmd
}

// grpoFlags change a recipe of grpo.
type grpoFlags struct {
	trainFlags
	env, data, advantage, difficulty   string
	steps, tasks, group, rank, maxTurn int
	lr, kl, entropy                    float64
}

func (a *app) trainGRPOCommand() *cobra.Command {
	var f grpoFlags
	cmd := &cobra.Command{
		Use: "grpo", Short: "Reinforcement: what did better than its group becomes likelier", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := f.options(cmd)
			if err != nil {
				return err
			}
			return a.train(cmd, o, f.out)
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.env, "env", recipe.DefaultEnvironment, "environment to train in: orchestration or orchestration-v1")
	fl.StringVar(&f.data, "data", "", "the codebases of orchestration-v1")
	fl.StringVar(&f.difficulty, "difficulty", "", "easy, medium or hard (default easy)")
	fl.IntVar(&f.steps, "steps", 0, "updates (default: the recipe's)")
	fl.IntVar(&f.tasks, "tasks", 0, "tasks a step (default: the recipe's)")
	fl.IntVar(&f.group, "group", 0, "rollouts of each task (default: the recipe's)")
	fl.IntVar(&f.rank, "rank", 0, "of the adapter (default 16)")
	fl.IntVar(&f.maxTurn, "max-turns", 0, "turns of a rollout in training (default: the environment's own)")
	fl.Float64Var(&f.lr, "lr", 0, "learning rate (default 0.001)")
	fl.Float64Var(&f.kl, "kl", 0, "coefficient of the divergence from the base (default: the recipe's)")
	fl.Float64Var(&f.entropy, "entropy", 0, "coefficient of the bonus for uncertainty (default: the recipe's)")
	fl.StringVar(&f.advantage, "advantage", "", "std, none or drgrpo (default std)")
	complete(cmd, "advantage", grpo.Advantages()...)
	return cmd
}

func (f *grpoFlags) options(cmd *cobra.Command) (recipe.Options, error) {
	o, err := f.trainFlags.options(cmd, grpo.Method)
	if err != nil {
		return o, err
	}
	fl, g := cmd.Flags(), o.GRPO
	o.Environment, o.Data = f.env, f.data
	g.Environment = f.env
	for name, to := range map[string]*int{"steps": &g.Steps, "tasks": &g.Tasks, "group": &g.Group, "rank": &g.Rank, "max-turns": &g.MaxTurns} {
		if !fl.Changed(name) {
			continue
		}
		if *to, _ = fl.GetInt(name); *to < 1 {
			return o, usageError{fmt.Errorf("--%s must be at least 1", name), ""}
		}
	}
	for name, to := range map[string]*float64{"lr": &g.LR, "kl": &g.KL, "entropy": &g.Entropy} {
		if fl.Changed(name) {
			*to, _ = fl.GetFloat64(name)
		}
	}
	if f.advantage != "" {
		g.Advantage = f.advantage
	}
	if f.difficulty != "" {
		g.Difficulty, o.Measure.Difficulty, o.SFT.Difficulties = f.difficulty, f.difficulty, []string{f.difficulty}
	}
	return o, nil
}

// usage is a mistake of the user's that another package found; its hint stays.
func usage(err error) error {
	hint := ""
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		hint = hinted.Hint()
	}
	return usageError{err, hint}
}

// finishTrain prints what a training came to.
func (a *app) finishTrain(s report.Summary, err error) error {
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(s)
	}
	var text strings.Builder
	if err := report.WriteText(&text, s); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, visible(text.String()))
	fmt.Fprintf(a.stdout, "\ntraining: %s\n", visible(s.Run))
	return nil
}

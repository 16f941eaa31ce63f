package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/train/engine"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/spf13/cobra"
)

// grpoFlags change a recipe of grpo.
type grpoFlags struct {
	trainFlags
	engineFlags
	taskChoiceFlags
	env, data, advantage, fleet      string
	steps, tasks, group, rank, turns int
	lr, kl, entropy                  float64
}

func (a *app) trainGRPOCommand() *cobra.Command {
	var f grpoFlags
	cmd := &cobra.Command{
		Use: "grpo", Short: "Reinforcement: rollouts that did better than their group become likelier",
		Long: `Group relative policy optimisation with LoRA: in each step the policy plays tasks several times, with its cells in the
real sandbox, and rollouts that earned more than their group become likelier. Without --from it starts from a new model,
which gets its first lessons first (train sft).

The policy is measured on held-out tasks before, in between and after. The policy that did best in between is kept; those
tasks differ from the ones of before and after. --env orchestration-v1 trains on the reference environment's reward, which
can be exploited; before and after are still measured by our own.`,
		Example: `  deeprepo train grpo --recipe smoke --out runs/smoke
  deeprepo train grpo --recipe full --seed 1 --out runs/seed1
  deeprepo train grpo --from runs/first --steps 50 --kl 0.02 --out runs/near
  deeprepo train grpo --env orchestration-v1 --out runs/ablation
  deeprepo train grpo --recipe full --fleet nats://hub:4222 --out runs/wide   # its rollouts on many machines
  deeprepo train grpo --engine trl --model HuggingFaceTB/SmolLM2-135M-Instruct --steps 10 --out runs/trl
  deeprepo train grpo --engine prime-rl --model Qwen/Qwen3-8B --write --out runs/prime   # only its files`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := &f.engineFlags.o
			e.Method, e.Environment, e.Difficulty, e.Seed, e.MaxTurns = engine.GRPO, f.env, f.difficulty, f.seed, f.turns
			e.TasksPerStep, e.Group, e.Steps, e.LR, e.Beta, e.Rank = f.tasks, f.group, f.steps, f.lr, f.kl, f.rank
			return a.trainWith(cmd, f.engineFlags, f.out, f.hours, f.options, "env", "difficulty", "steps", "tasks", "group", "rank",
				"max-turns", "lr", "kl")
		},
	}
	f.trainFlags.add(cmd)
	f.engineFlags.add(cmd)
	f.taskChoiceFlags.add(cmd)
	fleetFlag(cmd, &f.fleet, "play the rollouts on a fleet")
	fl := cmd.Flags()
	fl.StringVar(&f.env, "env", recipe.DefaultEnvironment, "environment to train in: "+recipe.DefaultEnvironment+" or "+catalog.V1)
	fl.StringVar(&f.data, "data", "", "the codebases of "+catalog.V1+" (default: generated ones); a fleet gets them")
	fl.IntVar(&f.steps, "steps", 0, "number of updates (default: full 100, smoke 20)")
	fl.IntVar(&f.tasks, "tasks", 0, "tasks per step (default: full 16, smoke 8)")
	fl.IntVar(&f.group, "group", 0, "rollouts per task, 2 or more (default: full 8, smoke 6)")
	fl.IntVar(&f.rank, "rank", 0, "rank of the adapter (default 16)")
	fl.IntVar(&f.turns, "max-turns", 0, "maximum turns of a rollout in training (default: full 8, smoke the environment's own)")
	fl.Float64Var(&f.lr, "lr", 0, "learning rate (default 0.001)")
	fl.Float64Var(&f.kl, "kl", 0, "coefficient of the divergence from the base (default 0.01)")
	fl.Float64Var(&f.entropy, "entropy", 0, "coefficient of the entropy bonus (default: full 0.0001, smoke 0)")
	fl.StringVar(&f.advantage, "advantage", grpo.AdvantageStd,
		strings.Join(grpo.Advantages(), ", ")+": what a rollout earned, against its group")
	complete(cmd, "env", recipe.DefaultEnvironment, catalog.V1)
	complete(cmd, "advantage", grpo.Advantages()...)
	return cmd
}

// options are a recipe's with what the flags change of it.
func (f *grpoFlags) options(cmd *cobra.Command) (recipe.Options, error) {
	o, err := f.trainFlags.options(cmd, grpo.Method)
	if err != nil {
		return o, err
	}
	if !slices.Contains([]string{recipe.DefaultEnvironment, catalog.V1}, f.env) {
		return o, usageError{fmt.Errorf("no training in the environment %q", f.env), "use " + recipe.DefaultEnvironment + " or " + catalog.V1}
	}
	g := o.GRPO
	if err := f.choose(&o, &g.TaskChoice); err != nil {
		return o, err
	}
	if f.data != "" && f.env != catalog.V1 {
		return o, usageError{errors.New("--data names the codebases of " + catalog.V1), "train there with --env " + catalog.V1 + ", or omit it"}
	}
	if o.Data, err = rooted(f.data); err != nil {
		return o, err
	}
	o.Fleet, o.Environment, g.Environment, g.Seed, g.Advantage = f.fleet, f.env, f.env, f.seed, f.advantage
	if err := ints(cmd, map[string]*int{"steps": &g.Steps, "tasks": &g.Tasks, "group": &g.Group, "rank": &g.Rank, "max-turns": &g.MaxTurns,
		"heldout": &g.Heldout}); err != nil {
		return o, err
	}
	if g.Tasks > 0 {
		g.Minibatches = min(g.Minibatches, g.Tasks)
	}
	return o, amounts(cmd, map[string]*float64{"lr": &g.LR, "kl": &g.KL, "entropy": &g.Entropy}, "kl", "entropy")
}

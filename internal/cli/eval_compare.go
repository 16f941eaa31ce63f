package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/spf13/cobra"
)

func (a *app) evalCompareCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compare DIR DIR...",
		Short: "Compare evals of the same tasks, with paired tests",
		Long: `Compare evals task by task with the first one: the before/after table, paired tests, and the conclusion in words. If
there are too few tasks to tell, it says so, and how many would be needed. It reads our directories and verifiers' own.`,
		Example: `  deeprepo eval compare runs/untrained runs/trained
  deeprepo eval compare runs/a outputs/evals/deeprepo-orchestration--some--model/1a2b3c4d --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) >= 2 {
				return nil
			}
			return usageError{fmt.Errorf("eval compare takes two or more directories, got %d", len(args)), "put the base first"}
		},
		ValidArgsFunction: completeDir,
		RunE: func(_ *cobra.Command, args []string) error {
			var saved []eval.Saved
			for _, dir := range args {
				s, err := eval.Load(dir)
				if errors.As(err, new(*eval.CorruptError)) {
					return exitError{exitOutside, err}
				}
				if err != nil {
					return err
				}
				saved = append(saved, s)
			}
			c, err := eval.CompareSaved(saved)
			if err != nil {
				return err
			}
			return a.print(c, func(w io.Writer) error { return eval.WriteComparison(w, c) })
		},
	}
}

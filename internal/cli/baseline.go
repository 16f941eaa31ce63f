package cli

import (
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/spf13/cobra"
)

func (a *app) baselineCommand() *cobra.Command {
	f := reviewFlags{baseline: true, Options: review.Options{Strategy: review.StrategySingle}}
	cmd := &cobra.Command{
		Use:   "baseline [PATH...]",
		Short: "One call, no REPL: the baseline for the recursion",
		Long: `Put as much of the codebase at PATH as fits into one prompt and ask one model once. Entry points come first, then
files in an order that ignores their size, so that every line has the same chance; the report states what was left
out. It is the reference to measure analyze against, and often the better tool for a codebase that fits.`,
		Example: `  deeprepo baseline . --root anthropic/claude-sonnet-4-5
  deeprepo baseline . --dry-run`,
		PreRunE: a.configuredFor,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.analyze(cmd, args, f) },
	}
	f.common(cmd)
	a.outputFlags(cmd, &f.exit.formats)
	a.waiting.add(cmd)
	return cmd
}

package cli

import (
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/spf13/cobra"
)

func (a *app) baselineCommand() *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "baseline PATH",
		Short: "One call, no REPL: the baseline for the recursion",
		Long: `Put as much of the codebase at PATH as fits into one prompt and ask one model once. Entry points come first, then
files in an order that ignores their size, so that every line has the same chance; the report states what was left
out. It is the reference to measure analyze against, and often the better tool for a codebase that fits.`,
		Example: `  deeprepo baseline . --root anthropic/claude-sonnet-4-5
  deeprepo baseline . --dry-run`,
		Args: one("baseline", "PATH", "deeprepo baseline . reviews the current directory"), ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.strategy = review.StrategySingle
			o, registry, c, err := a.options(cmd, args[0], f)
			if err != nil {
				return err
			}
			if o.Root == offline.Name { // a script cannot answer one call; the rules can
				o.Root = rules.Name
			}
			p := newProgress(a.stderr)
			defer p.close()
			env := a.env(registry, c, p)
			if f.dryRun {
				return a.dryRun(cmd, o, env)
			}
			out, err := review.Baseline(cmd.Context(), o, env)
			p.close()
			return a.finish(out, err, f.failOn)
		},
	}
	f.common(cmd)
	return cmd
}

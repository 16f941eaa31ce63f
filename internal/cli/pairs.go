package cli

import "github.com/spf13/cobra"

// pairsCommand holds what is done with preference pairs.
func (a *app) pairsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pairs",
		Short: "Build, audit and export preference pairs from verified code",
		Long: `Turn verified samples into preference pairs (prompt, chosen, rejected) with every filter counted, audit any pair file
by running its programs again, and export pairs for trainers.`,
		Args: commandOf,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.pairsBuildCommand(), a.pairsAuditCommand(), a.pairsExportCommand())
	return cmd
}

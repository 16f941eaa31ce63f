package cli

import "github.com/spf13/cobra"

// pairsCommand holds what is done with preference pairs.
func (a *app) pairsCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "pairs",
		Short: "Build, audit and export preference pairs from verified code",
		Long: `Turn verified samples into preference pairs (prompt, chosen, rejected) with every filter counted, audit any pair file
by running its programs again, and export pairs for trainers.`,
	}, a.pairsBuildCommand(), a.pairsAuditCommand(), a.pairsExportCommand())
}

package cli

import (
	"errors"
	"os"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/spf13/cobra"
)

func (a *app) trainCompareCommand() *cobra.Command {
	var html string
	cmd := &cobra.Command{
		Use: "compare DIR...", Short: "Compare several trainings: seeds, sizes, ablations",
		Long: `Compare trainings: each before and after, then means with intervals over those that differ only in the seed, and, with
several sizes, the effect of training separated from that of size.`,
		Example: `  deeprepo train compare runs/seed1 runs/seed2 runs/seed3
  deeprepo train compare runs/small runs/medium runs/large --html sizes.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return usageError{errors.New("compare needs the directories of trainings"), "deeprepo train compare DIR DIR"}
		},
		ValidArgsFunction: completeDir,
		RunE: func(_ *cobra.Command, args []string) error {
			var runs []runfile.TrainingSummary
			for _, dir := range args {
				s, err := report.Read(dir)
				if err != nil {
					return usage(err)
				}
				s.Run = dir // where it is now
				runs = append(runs, s)
			}
			j, err := report.Join(runs)
			if err != nil {
				return err
			}
			if html != "" {
				f, err := os.Create(html)
				if err != nil {
					return err
				}
				if err := errors.Join(j.WritePage(f), f.Close()); err != nil {
					return err
				}
			}
			return a.print(j, j.WriteText)
		},
	}
	cmd.Flags().StringVar(&html, "html", "", "write a page with the tables and curves to this file")
	return cmd
}

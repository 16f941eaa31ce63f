package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/spf13/cobra"
)

func (a *app) diffCommand() *cobra.Command {
	var all bool
	var exit exitFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two reviews of a repository: what is new, fixed, persists, moved",
		Long: `Compare the findings of two reviews of one repository. OLD and NEW are directories of runs, or files report.json.

A finding is known again by its code, not by its line: by its ID; by its fingerprint, which is the same when lines move,
the file is renamed or code is formatted; and otherwise by its category and title in one file. What is suppressed, refuted
or dismissed in NEW is not fixed and is listed by itself. Where NEW read less than OLD, that is said: what a review did not
read is not fixed because it is not found.`,
		Example: `  deeprepo diff runs/app-20261121-101500 runs/app-20261122-090000
  deeprepo diff main/report.json change/report.json --fail-on high   # exit code 1 when something serious is new
  deeprepo diff OLD NEW --json                                       # {"new", "fixed", "persisting", "moved", ...}`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("diff takes two reviews, the older one first, got %d arguments", len(args)),
					"deeprepo diff runs/OLD runs/NEW"}
			}
			return exit.check()
		},
		ValidArgsFunction: completeRuns(2, false),
		RunE: func(_ *cobra.Command, args []string) error {
			old, err := readReview(args[0])
			if err != nil {
				return err
			}
			now, err := readReview(args[1])
			if err != nil {
				return err
			}
			d := report.Diff(old, now)
			style := a.style()
			style.All = all
			if err := a.print(d, func(w io.Writer) error { return report.DiffText(w, d, style) }); err != nil {
				return err
			}
			if report.FailOn(runfile.Report{Findings: d.New}, exit.failOn, false) {
				fmt.Fprintf(a.stderr, "deeprepo: there are new findings at or above %s (--fail-on)\n", exit.failOn)
				return exitError{code: exitNo}
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&all, "all", false, "list what persists, and what was set aside, too")
	fl.StringVar(&exit.failOn, "fail-on", "",
		"exit code 1 when a new finding is at least this severe: "+strings.Join(taxonomy.Severities(), ", "))
	complete(cmd, "fail-on", taxonomy.Severities()...)
	return cmd
}

// readReview reads the report of a run's directory, or a report.json.
func readReview(path string) (runfile.Report, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return runfile.Report{}, usageError{fmt.Errorf("there is no %s", path), "give the directory of a run of analyze, or its report.json"}
	}
	if err == nil && info.IsDir() {
		path = filepath.Join(path, review.ReportName+".json")
	}
	r, err := review.ReadReport(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, usageError{fmt.Errorf("%s holds no report of a review", filepath.Dir(path)), "give the directory of a run of analyze"}
	}
	return r, err
}

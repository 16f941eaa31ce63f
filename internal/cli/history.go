package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) historyCommand() *cobra.Command {
	var runs string
	cmd := &cobra.Command{
		Use:   "history [PATH]",
		Short: "What became of a codebase over its reviews: findings, new, fixed, coverage",
		Long: `List the reviews of the codebase at PATH (default: the current directory), the oldest first, that lie below the directory
--runs. What is new and what is fixed is counted against the review before it with the same root and worker; a review that
failed is compared with nothing.

The table comes from an index in the cache directory, which is made of the runs' report.json and can be removed at any
time: only what changed since the last look is read.`,
		Example: `  deeprepo history                          # of the codebase here, by the reviews below ./runs
  deeprepo history ~/src/app --runs ~/reviews
  deeprepo history --json                   # [{"run", "commit", "at", "findings", "new", "fixed", ...}]`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("history takes one codebase, got %d", len(args)), "deeprepo history PATH --runs DIR"}
			}
			return nil
		},
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) == 1 {
				path = args[0]
			}
			return a.history(cmd.Context(), path, runs)
		},
	}
	cmd.Flags().StringVar(&runs, "runs", "runs", "directory that the reviews lie below")
	return cmd
}

func (a *app) history(ctx context.Context, path, runs string) error {
	if info, err := os.Stat(runs); err != nil || !info.IsDir() {
		return usageError{fmt.Errorf("there is no directory %s", termtext.Inline(runs)), "--runs DIR names the one with the reviews of analyze"}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	all, others, err := a.reviewsOf(ctx, path, runs)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		advice := "there is no review at all; deeprepo analyze makes one"
		if len(others) > 0 {
			advice = "there are reviews of " + termtext.Inline(strings.Join(others[:min(len(others), 5)], ", "))
		}
		return usageError{fmt.Errorf("no review below %s is of %s", termtext.Inline(runs), termtext.Inline(path)), advice}
	}
	return a.print(all, func(w io.Writer) error { return writeHistory(w, all) })
}

// reviewsOf brings the index of a directory up to date and gives the reviews of a codebase, and the codebases that there are.
func (a *app) reviewsOf(ctx context.Context, codebase, runs string) (all []history.Entry, others []string, err error) {
	where, err := filepath.Abs(runs)
	if err != nil {
		return nil, nil, err
	}
	name := sha256.Sum256([]byte(where))
	index, err := history.Open(ctx, filepath.Join(a.cacheDir(), "history", hex.EncodeToString(name[:8])+".sqlite"), runs)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, index.Close()) }()
	err = index.Update(ctx, func(path string, err error) {
		fmt.Fprintf(a.stderr, "deeprepo: warning: %s is left out: %s\n", termtext.Inline(path), termtext.Inline(err.Error()))
	})
	if err != nil {
		return nil, nil, err
	}
	if all, err = index.Of(ctx, codebase); err == nil && len(all) == 0 {
		others, err = index.Codebases(ctx)
	}
	return all, others, err
}

// writeHistory writes a table, and the findings over time as a line of bars.
func writeHistory(w io.Writer, all []history.Entry) error {
	t := grid.Table{Header: []string{"at", "commit", "findings", "critical", "high", "new", "fixed", "coverage", "status", "run"}}
	counts := make([]int, len(all))
	number := func(n *int) string {
		if n == nil {
			return "-"
		}
		return strconv.Itoa(*n)
	}
	for i, e := range all {
		counts[i] = e.Findings
		t.Rows = append(t.Rows, []string{e.At.Local().Format(time.DateTime), termtext.Left(termtext.Inline(e.Commit), 9),
			strconv.Itoa(e.Findings), strconv.Itoa(e.Critical), strconv.Itoa(e.High), number(e.New), number(e.Fixed),
			report.Percent(e.Coverage), string(e.Status), termtext.Inline(e.Run)})
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nfindings  %s\n", bars(counts))
	return err
}

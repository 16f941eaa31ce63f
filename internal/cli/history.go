package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/spf13/cobra"
)

func (a *app) historyCommand() *cobra.Command {
	var runs string
	var all bool
	cmd := &cobra.Command{
		Use:   "history [PATH]",
		Short: "Show the reviews of a repository over time: findings, new, fixed, cost",
		Long: `List the reviews of the repository at PATH (default: here), the oldest first, that lie below the directory --runs. PATH may also
be the address of a repository. Its clones and work trees are one repository: by the address of its remote, without one by its
first commit, without git by the path.

"new" and "fixed" count places, as deeprepo diff does, against the completed review before it with the same root and worker.
A review that failed or is partial is compared with nothing, nor is one with --baseline-report: what was not read or not
listed is not fixed. "?" says that the review read less than the one before, so not all of it need be fixed. "aside" is what
comments, the suppress file and deeprepo triage left out; a bar of ░ is a review that read only part.

What was read once is kept in an index in the cache directory, which may be removed at any time.`,
		Example: `  deeprepo history                          # of the repository here, by the reviews below ./runs
  deeprepo history ~/src/app --runs ~/reviews --all
  deeprepo history git@host.example:team/app.git
  deeprepo history --json                   # [{"run", "commit", "at", "findings", "new", "fixed", ...}]`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("history takes one repository, got %d", len(args)), "deeprepo history PATH --runs DIR"}
			}
			return nil
		},
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) == 1 {
				path = args[0]
			}
			return a.history(cmd.Context(), path, runs, all)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&runs, "runs", "runs", "directory that the reviews lie below")
	fl.BoolVar(&all, "all", false, fmt.Sprintf("list all reviews, and not only the last %d", lastReviews))
	if err := cmd.RegisterFlagCompletionFunc("runs", completeDir); err != nil {
		panic(err) // the flag was declared above
	}
	return cmd
}

// lastReviews is how many reviews are listed where not all are asked for.
const lastReviews = 30

func (a *app) history(ctx context.Context, path, runs string, all bool) error {
	const make = "deeprepo analyze makes one, in runs/; --runs DIR names another directory"
	if info, err := os.Stat(runs); errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("there is no directory %s with reviews", termtext.Inline(runs)), make}
	} else if err == nil && !info.IsDir() {
		return usageError{fmt.Errorf("%s is no directory", termtext.Inline(runs)), make}
	}
	if !codebase.IsRemote(path) {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		if _, err := os.Stat(path); err != nil {
			a.say("note: " + termtext.Inline(path) + " is not there: only reviews of that very path are looked for")
		}
	}
	found, err := history.Look(ctx, history.Options{
		Runs: []string{runs}, Cache: a.historyCache(),
		Warn: func(path, why string) {
			a.say(fmt.Sprintf("warning: %s is left out: %s", termtext.Inline(path), termtext.Inline(why)))
		},
		Reading: func(reports int) {
			if reports > 200 {
				a.say(fmt.Sprintf("reading %d reports that are new or changed", reports))
			}
		},
	})
	if err != nil {
		return err
	}
	reviews := found.Of(ctx, path)
	named, err := below(runs)
	if err != nil {
		return err
	}
	for i := range reviews {
		reviews[i].Run, reviews[i].Against = named(reviews[i].Run), named(reviews[i].Against)
	}
	if len(reviews) == 0 {
		advice := "there is no review at all there; " + make
		if others := found.Codebases(); len(others) > 0 {
			advice = "there are reviews of " + termtext.Inline(strings.Join(others[:min(len(others), 5)], ", "))
			if more := len(others) - 5; more > 0 {
				advice += fmt.Sprintf(" and %d more", more)
			}
		}
		return usageError{fmt.Errorf("no review below %s is of %s", termtext.Inline(runs), termtext.Inline(path)), advice}
	}
	return a.print(reviews, func(w io.Writer) error {
		_, err := io.WriteString(w, historyText(reviews, all))
		return err
	})
}

// historyCache is where indexes of reviews are kept.
func (a *app) historyCache() string { return filepath.Join(a.cacheDir(), "history") }

// below gives the path of a run that lies below a directory as that directory was named.
func below(runs string) (func(run string) string, error) {
	path, err := filepath.Abs(runs)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return func(run string) string {
		if rest, ok := strings.CutPrefix(run, path+string(filepath.Separator)); ok {
			return filepath.Join(runs, rest)
		}
		return run
	}, err
}

// historyText is a table of reviews, and what its marks mean.
func historyText(reviews []history.Entry, all bool) string {
	most := 0
	for _, e := range reviews {
		most = max(most, e.Findings)
	}
	severities := slices.DeleteFunc(taxonomy.Severities(), func(severity string) bool {
		return !slices.ContainsFunc(reviews, func(e history.Entry) bool { return e.Severities[severity] > 0 })
	})
	t := grid.Table{Left: 5, Head: slices.Concat([]string{"run", "at", "commit", "status", "trend", "findings"}, severities,
		[]string{"places", "new", "fixed", "aside", "lines", "cost"})}
	var marked, partial, hidden int
	if !all {
		hidden = max(0, len(reviews)-lastReviews)
	}
	for _, e := range reviews[hidden:] {
		status, fixed := string(e.Status), figure(e.Fixed)
		if e.Known != nil {
			status = "only new"
		}
		if e.Status != trace.StatusCompleted {
			partial++
		}
		if len(e.Notes) > 0 {
			fixed += "?"
			marked++
		}
		row := []string{e.Run, e.At.Local().Format("2006-01-02 15:04"), termtext.Cut(e.Commit, 8), status, trend(e, most),
			strconv.Itoa(e.Findings)}
		for _, severity := range severities {
			row = append(row, strconv.Itoa(e.Severities[severity]))
		}
		t.Add(append(row, strconv.Itoa(e.Places), figure(e.New), fixed, strconv.Itoa(e.Suppressed), strconv.Itoa(e.Lines),
			report.Dollars(e.CostUSD))...)
	}
	text := t.Text()
	if hidden > 0 {
		text += fmt.Sprintf("%s before these: --all lists them\n", termtext.Plural(hidden, "review"))
	}
	if partial > 0 {
		text += fmt.Sprintf("%s read only part, or failed: what it lacks is not fixed\n", termtext.Plural(partial, "review"))
	}
	if marked > 0 {
		text += "? the review read less than the one before: not all of it need be fixed\n"
	}
	last := reviews[len(reviews)-1]
	if last.Against != "" {
		text += fmt.Sprintf("deeprepo diff %s %s shows what the last one changed\n", last.Against, last.Run)
	}
	return text
}

func figure(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// barWidth is how long the longest bar is, in characters.
const barWidth = 12

// trend is how many findings a review has, against the most that one has. One that did not come to its end is drawn lighter.
func trend(e history.Entry, most int) string {
	const eighths = " ▏▎▍▌▋▊▉█"
	if most == 0 {
		return ""
	}
	n := e.Findings * barWidth * 8 / most
	if e.Findings > 0 {
		n = max(n, 1)
	}
	if e.Status != trace.StatusCompleted || e.Known != nil {
		return strings.Repeat("░", (n+7)/8)
	}
	text := strings.Repeat("█", n/8)
	if rest := n % 8; rest > 0 {
		text += string([]rune(eighths)[rest])
	}
	return text
}

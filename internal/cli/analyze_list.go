package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/review/list"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/spf13/cobra"
)

// listFlags are those of analyze --list.
type listFlags struct {
	file, fleet string
	atOnce      int
	cloneBytes  int64
}

func (f *listFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.file, "list", "", "review each repository of a file (- for stdin): a path or git URL a line, then its commit, if any")
	fl.IntVar(&f.atOnce, "at-once", 0, "with --list: reviews in progress at once (default 2; on a fleet as many as it has slots)")
	fl.Int64Var(&f.cloneBytes, "max-clone-bytes", 0, "with --list: break off the clone of a repository that becomes larger (default 2 GiB)")
	fleetFlag(cmd, &f.fleet, "with --list: review on a fleet, with its workers' keys")
}

// analyzeList reviews the repositories of a list.
func (a *app) analyzeList(cmd *cobra.Command, f reviewFlags) error {
	switch {
	case f.Commit != "":
		return usageError{errors.New("--commit and --list contradict each other"), "write each repository's commit behind it in the list"}
	case f.change != (changeFlags{}):
		return usageError{errors.New("--base and --list contradict each other"), "--base is for the change of one repository"}
	case f.list.atOnce < 0:
		return usageError{errors.New("--at-once cannot be negative"), ""}
	case f.list.cloneBytes < 0:
		return usageError{errors.New("--max-clone-bytes cannot be negative"), ""}
	}
	if err := noFormats(f.exit.formats, "--list"); err != nil {
		return err
	}
	if f.exit.leaveNothing {
		return usageError{errors.New("--rm and --list contradict each other"), "a list is known by its directory"}
	}
	entries, err := readList(f.list.file)
	if err != nil {
		return err
	}
	c, registry, err := a.open()
	if err != nil {
		return err
	}
	each, err := a.options("", f)
	if err != nil {
		return err
	}
	o := list.Options{Entries: entries, Review: each, Budget: each.Budget, Fleet: f.list.fleet, Out: f.Out,
		MaxCloneBytes: f.list.cloneBytes}
	o.Review.Out, o.Review.Budget = "", nil
	if f.dryRun {
		p := a.newProgress()
		e := list.Env{Env: a.reviewEnv(registry, &lazySandbox{app: a, say: p.say}, p.say), AtOnce: max(2, f.list.atOnce)}
		if !trustsConfig(cmd) {
			e.Trusted = c.trusted
		}
		return a.estimateList(cmd.Context(), o, e, p)
	}
	return a.playList(cmd.Context(), o.Fleet, f.list.atOnce, trustsConfig(cmd), f.exit, func(e list.Env) (list.Outcome, error) {
		return list.Run(cmd.Context(), o, e)
	})
}

func readList(name string) ([]list.Entry, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name) // #nosec G304 -- the user names it
		if err != nil {
			return nil, usageError{fmt.Errorf("--list: %w", err), "one repository a line: PATH-OR-URL [COMMIT]"}
		}
		defer f.Close()
		in = f
	}
	entries, err := list.Parse(in)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", name, err), hint.Of(err)}
	}
	return entries, nil
}

// resumeList goes on with a list.
func (a *app) resumeList(cmd *cobra.Command, dir, amount string, trust bool, exit exitFlags) error {
	m, err := list.ReadManifest(dir)
	if err != nil {
		return err
	}
	usd, err := budget(amount, nil)
	if err != nil {
		return err
	}
	return a.playList(cmd.Context(), m.Options.Fleet, 0, trust, exit, func(e list.Env) (list.Outcome, error) {
		return list.Resume(cmd.Context(), dir, usd, e)
	})
}

// playList has play begin or continue a list.
func (a *app) playList(ctx context.Context, fleet string, atOnce int, trust bool, exit exitFlags,
	play func(list.Env) (list.Outcome, error)) error {
	c, registry, err := a.open()
	if err != nil {
		return err
	}
	p := a.newProgress()
	box := &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()} // reviews side by side share it
	e := list.Env{Env: a.reviewEnv(registry, box, p.say), AtOnce: 2, Opened: a.keepFleet}
	if !trust {
		e.Trusted = c.trusted
	}
	e.Reviewed = func(r runfile.ListReview, ended, total int) {
		line := fmt.Sprintf("%d of %d: %s: %s", ended, total, r.Name, r.Status)
		if r.Error != "" {
			line += " (" + termtext.Inline(r.Error) + ")"
		} else {
			line += fmt.Sprintf(", %d findings", r.Findings)
		}
		p.say(line)
	}
	var once sync.Map // what is true of all is said of the first
	e.Say = func(line string) {
		if _, said := once.LoadOrStore(line, true); !said {
			p.say(line)
		}
	}
	elsewhere, slots, err := a.reviewedElsewhere(ctx, fleet, p.say)
	if err != nil {
		return err
	}
	if e.Elsewhere = elsewhere; elsewhere != nil {
		e.AtOnce = slots
	}
	if atOnce > 0 {
		e.AtOnce = atOnce
	}
	out, err := play(e)
	p.close()
	return a.finishList(out, err, exit)
}

// finishList prints a list's summary and turns it into an exit code.
func (a *app) finishList(out list.Outcome, err error, exit exitFlags) error {
	if out.Dir == "" || len(out.List.Repositories) == 0 {
		return err
	}
	werr := a.printList(out.List, out.Dir)
	switch {
	case werr != nil:
		return werr
	case errors.As(err, new(*rundir.Stopped)):
		return exitError{exitOutside, err}
	case err != nil:
		return ended(err, out.Dir)
	}
	if slices.ContainsFunc(out.Reports, func(r runfile.Report) bool { return report.FailOn(r, exit.failOn, exit.trustRefutations) }) {
		fmt.Fprintf(a.stderr, "deeprepo: there are findings at or above %s (--fail-on)\n", exit.failOn)
		return exitError{code: exitNo}
	}
	if out.List.Status == trace.StatusCompleted || out.List.Failed == 0 && exit.allowPartial {
		return nil
	}
	return exitError{exitOutside, incomplete(out)}
}

// showList prints the summary of a list that was reviewed, or stopped.
func (a *app) showList(dir string) error {
	s, err := list.ReadSummary(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("%s has no summary yet", dir), "deeprepo resume " + dir + " goes on with the list"}
	}
	if err != nil {
		return err
	}
	return a.printList(s, dir)
}

func (a *app) printList(s runfile.List, dir string) error {
	return a.print(s, func(w io.Writer) error {
		err := list.WriteText(w, s)
		fmt.Fprintf(w, "\nresults: %s/%s.md, .json; each review: %s/runs/NAME/%s.html\n", dir, runfile.ListName, dir, review.ReportName)
		return err
	})
}

// incomplete says what of a list is missing, and what helps: only reviews that broke off can be resumed.
func incomplete(out list.Outcome) error {
	total, partial := len(out.List.Repositories), 0
	for _, r := range out.List.Repositories {
		if r.Status == trace.StatusPartial {
			partial++
		}
	}
	message := fmt.Sprintf("of %d repositories %d were not reviewed, and %d only in part: %s/%s.md says why", total, out.List.Failed, partial,
		out.Dir, runfile.ListName)
	switch {
	case out.Broke > 0:
		return hint.New(message, fmt.Sprintf("deeprepo resume %s --budget USD goes on with %d of them and a larger budget", out.Dir, out.Left))
	case out.Left > 0:
		return hint.New(message, fmt.Sprintf("deeprepo resume %s goes on with %d of them", out.Dir, out.Left))
	}
	return hint.New(message, "replies that came are in the cache: the same command with another --out asks for the rest; "+
		"--allow-partial accepts partial reviews (exit code 0)")
}

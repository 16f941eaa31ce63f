package list

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"golang.org/x/sync/errgroup"
)

// Names of what lies in a list's directory beside its manifest and its summary.
const (
	checkoutsName = "checkouts"
	runsName      = "runs"
)

// command is what Manifest.Command holds.
const command = "list"

// maxReport bounds a review's report that is read, in bytes.
const maxReport = 256 << 20

// errBroke is why a review was not begun that no money was left for.
var errBroke = errors.New("the budget is spent")

// Options say what is reviewed. They are saved in run.json: a resumed list uses them again.
type Options struct {
	Entries []Entry `json:"entries"`
	// Review are the options of each review; Path, Commit, Out and Budget are each one's own.
	Review review.Options `json:"review"`
	// Budget is the cap on what all together may cost. Defaults to none.
	Budget *money.USD `json:"budget_pico_usd,omitempty"`
	// Fleet is the address of the fleet that performs the reviews. Defaults to none: this machine does.
	Fleet string `json:"fleet,omitempty"`
	// MaxCloneBytes is how large a clone of one may become. Defaults to codebase.MaxCloneBytes.
	MaxCloneBytes int64 `json:"max_clone_bytes,omitempty"`
	// Out is the list's directory. Defaults to a fresh one below runs.
	Out string `json:"-"`
}

// Manifest is run.json.
type Manifest struct {
	runfile.Manifest
	Options Options `json:"options"`
}

// Env is what a list takes from the program around it.
type Env struct {
	review.Env
	// AtOnce is how many reviews are in progress at once. Defaults to 1.
	AtOnce int
	// Trusted refuses a codebase by its path before it is read. Defaults to none.
	Trusted func(path string) error
	// Reviewed is told of each review that ended, with how many of all have by now. Defaults to nothing.
	Reviewed func(r runfile.ListReview, ended, total int)
	// Opened is told of the list's directory; what it returns is called before that is closed. Defaults to nothing.
	Opened func(*rundir.Dir) (closing func())
}

// Outcome is what came of a list.
type Outcome struct {
	Dir  string
	List runfile.List
	// Reports are those of the reviews that have one, in the list's order; the others' are empty.
	Reports []runfile.Report
	// Left counts the reviews that Resume would go on with, Broke those of them that want more money.
	Left, Broke int
}

// kind is how a list's directory is spoken of.
var kind = rundir.Kind{Name: "list", Leaves: "summary", By: "deeprepo analyze --list", Taken: func(path string) error {
	return hint.Wrap(fmt.Errorf("%s already holds a run", path),
		"deeprepo resume "+path+" continues it; or choose another directory with --out DIR")
}}

// IsRun reports whether dir holds a list's run.
func IsRun(dir string) bool {
	m, err := ReadManifest(dir)
	return err == nil && m.Command == command
}

// ReadManifest reads what a list was asked to do.
func ReadManifest(dir string) (Manifest, error) { return rundir.ReadManifest[Manifest](dir, kind) }

// Run begins a list and reviews all of it. What no review could begin with is an error before there is a directory.
func Run(ctx context.Context, o Options, e Env) (Outcome, error) {
	if err := check(o, e); err != nil {
		return Outcome{}, err
	}
	now := time.Now()
	if o.Out == "" {
		var err error
		if o.Out, err = rundir.Fresh(filepath.Join("runs", "list-"+now.Format("20060102-150405")), kind); err != nil {
			return Outcome{}, err
		}
	}
	for i, entry := range o.Entries { // a resumed list may be started elsewhere
		if entry.remote() {
			continue
		}
		abs, err := filepath.Abs(entry.Source)
		if err != nil {
			return Outcome{}, err
		}
		o.Entries[i].Source = abs
	}
	dir, err := rundir.Create(o.Out, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	m := Manifest{Options: o, Manifest: runfile.Manifest{Schema: rundir.Schema, Command: command, Version: e.Version, StartedAt: now.UTC(),
		ID: now.UTC().Format("20060102T150405") + "-" + rand.Text()[:6]}}
	if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
		return Outcome{}, err
	}
	return execute(ctx, dir, m, e)
}

// check refuses options that no review could begin with.
func check(o Options, e Env) error {
	each := o.Review
	each.Path, each.Budget = ".", o.Budget
	return review.Check(each, e.Env)
}

// Resume goes on with the list in path: reviews that are done are not repeated, the others go on. A budget, when given,
// replaces the list's own, what was spent before included.
func Resume(ctx context.Context, path string, budget *money.USD, e Env) (Outcome, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return Outcome{}, err
	}
	for _, entry := range m.Options.Entries {
		if err := entry.check(); err != nil || rundir.Slug(entry.Name, "") != entry.Name {
			return Outcome{}, fmt.Errorf("%s holds a list with %q: %w", path, entry.Source, errors.Join(err, errors.New("it was changed")))
		}
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if budget != nil {
		m.Options.Budget = budget
		if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
			return Outcome{}, err
		}
	}
	return execute(ctx, dir, m, e)
}

// lister reviews a list.
type lister struct {
	dir    *rundir.Dir
	m      Manifest
	e      Env
	shares *review.Shares

	mu     sync.Mutex
	ended  int
	failed []error // why a review has no report, by entry
	fault  error   // of the machine
}

func runDir(e Entry) string { return filepath.Join(runsName, e.Name) }

func execute(ctx context.Context, dir *rundir.Dir, m Manifest, e Env) (Outcome, error) {
	if e.Opened != nil {
		defer e.Opened(dir)()
	}
	all := m.Options.Entries
	l := &lister{dir: dir, m: m, e: e, failed: make([]error, len(all))}
	var dirs []string
	for _, entry := range all {
		dirs = append(dirs, runDir(entry))
	}
	var err error
	if e.Elsewhere == nil {
		err = dir.RefuseAway(dirs...)
	}
	if err != nil {
		return Outcome{}, err
	}
	if l.shares, err = review.Divide(dir, dirs, l.done, m.Options.Budget, true); err != nil {
		return Outcome{Dir: dir.Path()}, err
	}
	if err := dir.Root().MkdirAll(runsName, 0o755); err != nil {
		return Outcome{Dir: dir.Path()}, err
	}
	var g errgroup.Group
	g.SetLimit(max(1, e.AtOnce))
	var left []int
	for i := range all {
		if !l.done(i) {
			left = append(left, i)
		}
	}
	if len(left) > 0 {
		if err := check(m.Options, e); err != nil {
			return Outcome{}, err
		}
	}
	l.ended = len(all) - len(left)
	for _, i := range left {
		g.Go(func() error {
			l.one(ctx, i)
			return nil
		})
	}
	_ = g.Wait() // none gives an error
	out, err := l.conclude()
	if err = errors.Join(l.fault, err); err != nil {
		return out, err
	}
	if ctx.Err() != nil {
		away := 0
		for _, run := range dirs {
			if rundir.Away(dir.Root(), run) {
				away++
			}
		}
		return out, &rundir.Stopped{What: "list", Parts: "reviews", Dir: dir.Path(), Why: rundir.Interrupted(away), Done: out.List.Done,
			Total: len(all), Cause: ctx.Err()}
	}
	return out, nil
}

// done says whether a review is not to be repeated: it came to its end, or was cut short by what is the same again.
func (l *lister) done(i int) bool {
	r, err := l.report(i)
	return err == nil && finished(r)
}

// report reads the report of the i-th review, following no link out of the list's directory.
func (l *lister) report(i int) (runfile.Report, error) {
	f, err := bounded.OpenIn(l.dir.Root(), filepath.Join(runDir(l.m.Options.Entries[i]), runfile.ReportName), maxReport)
	if err != nil {
		return runfile.Report{}, err
	}
	defer f.Close()
	return report.Read(f)
}

// begun says whether a review has its manifest, and with it a journal.
func (l *lister) begun(e Entry) bool {
	_, err := l.dir.Root().Lstat(filepath.Join(runDir(e), review.ManifestName))
	return err == nil
}

// one reviews the i-th entry.
func (l *lister) one(ctx context.Context, i int) {
	entry := l.m.Options.Entries[i]
	left, enough := l.shares.Begin(i)
	if ctx.Err() != nil || !enough {
		l.shares.Leave()
		if !enough {
			l.note(i, errBroke, nil)
		}
		return
	}
	out, err := l.review(ctx, entry, left)
	// What a review spends on a fleet and has not told of is not known. One that did not begin spends nothing.
	fault := l.shares.Settle(i, out.Dir != "" || l.e.Elsewhere == nil || !l.begun(entry))
	if ctx.Err() != nil {
		err = nil
	}
	l.note(i, err, fault)
}

// note takes down how a review ended.
func (l *lister) note(i int, failed, fault error) {
	r, _ := l.entry(i, failed)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed[i] = failed
	l.ended++
	if l.fault == nil {
		l.fault = fault
	}
	if l.e.Reviewed != nil {
		l.e.Reviewed(r, l.ended, len(l.m.Options.Entries))
	}
}

// review begins a review, or goes on with it.
func (l *lister) review(ctx context.Context, entry Entry, left *money.USD) (review.Outcome, error) {
	run := filepath.Join(l.dir.Path(), runDir(entry))
	env := l.e.Env
	env.Observe = func(rlm.Progress) {} // of one among many
	o := l.m.Options.Review
	o.Path, o.Commit, o.Out, o.Budget = entry.Source, entry.Ref, run, left
	if entry.remote() {
		o.Path, o.Commit = filepath.Join(l.dir.Path(), checkoutsName, entry.Name), ""
	}
	if l.e.Trusted != nil {
		if err := l.e.Trusted(o.Path); err != nil {
			return review.Outcome{}, err
		}
	}
	if l.begun(entry) {
		return review.Resume(ctx, run, review.Changes{Budget: left}, env)
	}
	if entry.remote() {
		if err := l.dir.Root().MkdirAll(checkoutsName, 0o755); err != nil {
			return review.Outcome{}, err
		}
		// What an interrupted clone left is of no use.
		if err := l.dir.Root().RemoveAll(filepath.Join(checkoutsName, entry.Name)); err != nil {
			return review.Outcome{}, err
		}
		if err := codebase.Clone(ctx, entry.Source, entry.Ref, o.Path, l.m.Options.MaxCloneBytes); err != nil {
			return review.Outcome{}, err
		}
	}
	// A crash may have left something before the run began.
	if err := l.dir.Root().RemoveAll(runDir(entry)); err != nil {
		return review.Outcome{}, err
	}
	return review.Analyze(ctx, o, env)
}

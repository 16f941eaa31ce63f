package history

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"golang.org/x/sync/errgroup"
)

// Options say where a look goes.
type Options struct {
	// Runs are the directories that reviews lie below.
	Runs []string
	// Cache is the directory for the index. Defaults to none: all reports are read.
	Cache string
	// Warn is told of reports that cannot be read. Defaults to nothing.
	Warn func(path, why string)
	// Reading is told how many reports are read, before they are. Defaults to nothing.
	Reading func(reports int)
}

// Look finds the reviews that there are now. What did not change since the last look, by its size and time, is not read again. A
// look without an index, or with one that cannot be read or written, gives the same. The error is ctx's, or for a directory
// that is not there.
func Look(ctx context.Context, o Options) (*Reviews, error) {
	dirs := make([]string, len(o.Runs))
	for i, dir := range o.Runs {
		path, err := filepath.Abs(dir)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		if err != nil {
			return nil, err
		}
		dirs[i] = path
	}
	l := look{Options: o, dirs: dirs, rows: map[string]*row{}}
	if o.Cache != "" {
		name := sha256.Sum256([]byte(strings.Join(dirs, "\x00")))
		file := filepath.Join(o.Cache, hex.EncodeToString(name[:8])+".sqlite")
		if again := l.indexed(ctx, file); again != nil && ctx.Err() == nil { // it opened, and what it holds is damaged
			_ = l.indexed(ctx, file)
		}
	}
	if !l.done && ctx.Err() == nil {
		l.rows = map[string]*row{}
		l.update(ctx, walkAll(ctx, dirs), func([]*row, []string) {})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &Reviews{slices.DeleteFunc(l.list, func(r *row) bool { return r.problem != "" })}, nil
}

// look is one look.
type look struct {
	Options
	dirs []string
	rows map[string]*row // by run
	list []*row          // the same, in the order of time, once all is done
	done bool
}

// indexed looks with the help of an index. An error after which the index is gone is worth a second try.
func (l *look) indexed(ctx context.Context, file string) error {
	x, err := openIndex(ctx, file)
	if err != nil {
		return nil
	}
	defer func() { _ = x.close() }()
	found := make(chan *walk, 1)
	go func() { found <- walkAll(ctx, l.dirs) }()
	l.rows, err = x.load(ctx)
	w := <-found
	if err != nil {
		_ = x.db.Close()
		return cmp.Or(remove(file), err)
	}
	l.update(ctx, w, func(rows []*row, gone []string) {
		if err == nil {
			err = x.save(ctx, rows, gone)
		}
	})
	if err != nil && ctx.Err() == nil {
		_ = x.db.Close()
		_ = remove(file) // whatever it is, the next look makes another
	}
	return nil
}

// update reads what a walk found changed, and keeps it. What cannot be kept is read again at the next look.
func (l *look) update(ctx context.Context, w *walk, keep func(rows []*row, gone []string)) {
	if ctx.Err() != nil {
		return
	}
	if w.cut {
		l.warn(l.dirs[0], fmt.Sprintf("there are more than %d directories below: some were not looked at", maxVisited))
	}
	var gone []string
	for run := range l.rows {
		if w.stamps[run] == "" {
			gone = append(gone, run)
			delete(l.rows, run)
		}
	}
	var fresh []*row
	for run, stamp := range w.stamps {
		if r := l.rows[run]; r == nil || r.stamp != stamp {
			r = &row{Entry: Entry{Run: run}, stamp: stamp, changed: true}
			l.rows[run] = r
			fresh = append(fresh, r)
		}
	}
	if len(fresh) > 0 && l.Reading != nil {
		l.Reading(len(fresh))
	}
	if readAll(ctx, fresh) != nil {
		return
	}
	rows := l.sorted()
	keep(rows, gone) // what follows may be interrupted
	name(rows)
	compare(rows, func(run string) (runfile.Report, error) {
		if err := ctx.Err(); err != nil {
			return runfile.Report{}, err
		}
		return read(run)
	})
	if ctx.Err() != nil {
		return
	}
	keep(rows, nil)
	for _, r := range rows {
		if r.problem != "" && r.problem != ofChange {
			l.warn(r.Run, r.problem)
		}
	}
	l.list, l.done = rows, true
}

// ofChange is why a review is no part of a history: it says nothing of the code that its change did not touch.
const ofChange = "it is of a change"

func (l *look) warn(path, why string) {
	if l.Warn != nil {
		l.Warn(path, why)
	}
}

// sorted are the rows in the order of time.
func (l *look) sorted() []*row {
	rows := make([]*row, 0, len(l.rows))
	for _, r := range l.rows {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *row) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Run, b.Run)) })
	return rows
}

// readAll fills rows from their reports, several at once.
func readAll(ctx context.Context, rows []*row) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(min(4, runtime.GOMAXPROCS(0)))
	for _, r := range rows {
		group.Go(func() error {
			switch rep, err := read(r.Run); {
			case err != nil:
				r.problem = clip(err.Error())
			case rep.Change != nil:
				r.problem = ofChange
			default:
				r.fill(rep)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// read reads the report in a run's directory, a stranger's.
func read(run string) (runfile.Report, error) {
	root, err := os.OpenRoot(run)
	if err != nil {
		return runfile.Report{}, err
	}
	defer root.Close()
	f, err := bounded.OpenIn(root, runfile.ReportName, report.MaxReportBytes)
	if err != nil {
		return runfile.Report{}, err
	}
	defer f.Close()
	return report.Read(f)
}

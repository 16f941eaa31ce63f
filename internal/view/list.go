package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// How far a [Lister] looks.
const (
	maxLevels   = 8      // directories in directories, below one that it was given
	maxVisited  = 20_000 // directories in all
	maxListed   = 20_000 // entries of a directory
	maxChildren = 500    // runs in a run
	maxDepth    = 3      // directories in a run's directory
)

// Lister finds the runs in directories, again and again: of runs that have not changed meanwhile no file is read again.
// It is safe for concurrent use.
type Lister struct {
	dirs []string
	most int
	now  func() time.Time

	mu    sync.Mutex
	known map[string]listed // by path
}

type listed struct {
	stamp string
	row   doc.Row
}

// NewLister looks for runs in and below dirs, and gives at most so many.
func NewLister(dirs []string, most int) *Lister {
	return &Lister{dirs: dirs, most: most, now: time.Now}
}

// Runs are the runs that there are now, in the order of their paths. A run within another's directory names that one as
// its parent and comes after it. truncated says that there may be more. Links are not followed, and hidden directories
// not entered. The error is ctx's, or a directory's that was asked for and cannot be read.
func (l *Lister) Runs(ctx context.Context) (rows []doc.Row, truncated bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := walk{ctx: ctx, now: l.now, most: l.most, known: l.known, seen: map[string]listed{}}
	for _, dir := range l.dirs {
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, false, err
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, false, fmt.Errorf("look for runs: %w", err)
		}
		if _, err := entriesOf(path); err != nil {
			return nil, false, fmt.Errorf("look for runs: %w", err)
		}
		w.enter(path, 0, "")
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	l.known = w.seen
	atWork(w.rows)
	return w.rows, w.truncated, nil
}

// walk is one look.
type walk struct {
	ctx     context.Context
	now     func() time.Time
	most    int
	visited int
	known   map[string]listed
	seen    map[string]listed

	rows      []doc.Row
	truncated bool
}

// enter looks at a directory and what is below.
func (w *walk) enter(path string, depth int, parent string) {
	if w.ctx.Err() != nil {
		return
	}
	if w.visited++; w.visited > maxVisited || len(w.rows) >= w.most {
		w.truncated = true
		return
	}
	if _, twice := w.seen[path]; twice {
		return
	}
	entries, err := entriesOf(path)
	if err != nil {
		return // another user's
	}
	var below []string
	var manifest, lock, signed bool
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir():
			if !strings.HasPrefix(name, ".") && name != "node_modules" {
				below = append(below, name)
			}
		case !e.Type().IsRegular():
		case name == rundir.ManifestName:
			manifest = true
		case name == ".lock":
			lock = true
		default:
			signed = signed || slices.ContainsFunc(signs, func(s sign) bool { return s.name == name })
		}
	}
	if manifest || lock && signed {
		if row, ok := w.row(path, entries, lock); ok {
			row.Parent = parent
			w.rows = append(w.rows, row)
			parent, depth = row.ID, max(depth, maxLevels-maxDepth)
		}
	}
	if depth == maxLevels {
		return
	}
	for _, name := range below {
		w.enter(filepath.Join(path, name), depth+1, parent)
	}
}

// entriesOf lists a directory, by name.
func entriesOf(path string) ([]os.DirEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxListed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// row is the row of the run at path; false where there is none after all.
func (w *walk) row(path string, entries []os.DirEntry, lock bool) (doc.Row, bool) {
	var b strings.Builder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Type().IsRegular() {
			fmt.Fprintf(&b, "%s %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	held := rundir.Held(path)
	fmt.Fprint(&b, held)
	stamp := b.String()
	if old, ok := w.known[path]; ok && old.stamp == stamp {
		if held { // how long it has been at work changes all the time
			old.row.DurationS = since(old.row.StartedAt, w.now())
		}
		w.seen[path] = old
		return old.row, true
	}
	r, err := Open(path)
	if err != nil {
		return doc.Row{}, false
	}
	defer r.Close()
	if _, ours := kinds[r.dir.Manifest.Command]; !ours && !lock {
		return doc.Row{}, false // somebody else's run.json
	}
	row := r.header(r.dir.Held()).Row
	w.seen[path] = listed{stamp, row}
	return row, true
}

// atWork marks the runs of several parts that are at work on one of them: a command locks the part that it works on.
func atWork(rows []doc.Row) {
	running := map[string]bool{}
	for i := len(rows) - 1; i >= 0; i-- { // parts come behind what they are parts of
		if rows[i].Status == doc.Partial && running[rows[i].ID] {
			rows[i].Status = doc.Running
		}
		if rows[i].Status == doc.Running {
			running[rows[i].Parent] = true
		}
	}
}

// children are the runs in the run's directory, without itself.
func (r *Run) children() []doc.Row {
	w := walk{ctx: context.Background(), now: r.now, most: maxChildren + 1, seen: map[string]listed{}}
	w.enter(r.Path(), maxLevels-maxDepth, "")
	own := ID(r.Path())
	rows := slices.DeleteFunc(w.rows, func(row doc.Row) bool { return row.ID == own })
	for i := range rows {
		if rows[i].Parent == "" {
			rows[i].Parent = own
		}
	}
	if rows == nil {
		rows = []doc.Row{}
	}
	return rows
}

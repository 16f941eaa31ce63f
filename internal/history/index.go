// Package history tells what became of a codebase over its reviews. An [Index] is a SQLite file beside the caches, made of the
// report.json of each run and nothing else: it can be thrown away, and is made again. What a look finds unchanged, by size and
// time, is not read again.
//
// A review is compared with the one before it of the same codebase and the same readers; one that failed is compared with
// nothing, nor is anything with it.
package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Entry is a review in a codebase's history.
type Entry struct {
	Run      string       `json:"run"`
	Path     string       `json:"path"` // of the run's directory
	Commit   string       `json:"commit"`
	At       time.Time    `json:"at"`
	Status   trace.Status `json:"status"`
	Root     string       `json:"root"`
	Worker   string       `json:"worker"`
	Coverage float64      `json:"coverage"`
	Findings int          `json:"findings"`
	Critical int          `json:"critical"`
	High     int          `json:"high"`
	// New and Fixed are counted against the review before; nil where there is none to compare with.
	New   *int `json:"new"`
	Fixed *int `json:"fixed"`
}

// Index is the history of the reviews below a directory.
type Index struct {
	db   *sql.DB
	runs string
}

// version of the tables: another one is made anew.
const version = 1

const tables = `
CREATE TABLE IF NOT EXISTS review (
	path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
	repo TEXT NOT NULL, run TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, status TEXT NOT NULL,
	root TEXT NOT NULL, worker TEXT NOT NULL, coverage REAL NOT NULL,
	findings INTEGER NOT NULL, critical INTEGER NOT NULL, high INTEGER NOT NULL,
	before TEXT NOT NULL DEFAULT '', new INTEGER, fixed INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_repo ON review (repo, at, path);
`

// Open opens the index of a directory with runs in a file, which it makes. A file that is none of this version's is made anew.
func Open(ctx context.Context, file, runs string) (*Index, error) {
	runs, err := filepath.Abs(runs)
	if err == nil {
		runs, err = filepath.EvalSymlinks(runs)
	}
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	i, err := open(ctx, file, runs)
	if err == nil {
		return i, nil
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(file + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if i, err = open(ctx, file, runs); err != nil {
		return nil, fmt.Errorf("the index of reviews %s: %w", file, err)
	}
	return i, nil
}

func open(ctx context.Context, file, runs string) (*Index, error) {
	about := url.URL{Scheme: "file", Path: filepath.ToSlash(file),
		RawQuery: "_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_txlock=immediate"}
	db, err := sql.Open("sqlite", about.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	i := &Index{db, runs}
	var had int
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&had)
	if err == nil && had != version && had != 0 {
		err = fmt.Errorf("its tables are of version %d", had)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, tables+fmt.Sprintf("PRAGMA user_version = %d", version))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return i, nil
}

// Close closes the file.
func (i *Index) Close() error { return i.db.Close() }

// stamp tells whether a report is the one that was read.
type stamp struct{ size, modified int64 }

// Update reads what is new below the directory. warn is told of reports that cannot be read.
func (i *Index) Update(ctx context.Context, warn func(path string, err error)) error {
	tx, err := i.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	known, err := stamps(ctx, tx)
	if err != nil {
		return err
	}
	w := walk{ctx: ctx, known: known, there: map[string]stamp{}}
	w.enter(i.runs, 0)
	changed := false
	for _, path := range w.found {
		if known[path] == w.there[path] {
			continue
		}
		changed = true
		r, err := read(path)
		if err != nil {
			delete(w.there, path)
			warn(path, err)
			continue
		}
		if err := put(ctx, tx, path, w.there[path], r); err != nil {
			return err
		}
	}
	for path := range known {
		if _, there := w.there[path]; !there {
			changed = true
			if _, err := tx.ExecContext(ctx, "DELETE FROM review WHERE path = ?", path); err != nil {
				return err
			}
		}
	}
	if changed {
		if err := compare(ctx, tx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return tx.Commit()
}

func stamps(ctx context.Context, tx *sql.Tx) (map[string]stamp, error) {
	rows, err := tx.QueryContext(ctx, "SELECT path, size, modified FROM review")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[string]stamp{}
	for rows.Next() {
		var path string
		var s stamp
		if err := rows.Scan(&path, &s.size, &s.modified); err != nil {
			return nil, err
		}
		known[path] = s
	}
	return known, rows.Err()
}

func read(dir string) (runfile.Report, error) {
	f, err := bounded.Open(filepath.Join(dir, runfile.ReportName), report.MaxReportBytes)
	if err != nil {
		return runfile.Report{}, err
	}
	defer f.Close()
	return report.Read(f)
}

func put(ctx context.Context, tx *sql.Tx, path string, s stamp, r runfile.Report) error {
	severe := map[string]int{}
	for _, f := range r.Findings {
		severe[f.Severity]++
	}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO review
		(path, size, modified, repo, run, hash, at, status, root, worker, coverage, findings, critical, high)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		path, s.size, s.modified, r.Repo.Path, r.Run.ID, r.Repo.Commit, r.Run.StartedAt.UnixNano(), string(r.Run.Status), r.Run.Root,
		r.Run.Worker, r.Coverage.Fraction, len(r.Findings), severe["critical"], severe["high"])
	return err
}

// compare counts what is new and fixed where the review before is another one than it was.
func compare(ctx context.Context, tx *sql.Tx) error {
	type pair struct{ path, before, now string }
	rows, err := tx.QueryContext(ctx, `SELECT path, before, now FROM (
			SELECT path, before, repo, root, worker, at, coalesce(lag(path || ' ' || size || ' ' || modified)
				OVER (PARTITION BY repo, root, worker ORDER BY at, path), '-') AS now
			FROM review WHERE status != 'failed'
		) WHERE before != now ORDER BY repo, root, worker, at, path`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var pairs []pair
	for rows.Next() {
		var p pair
		if err := rows.Scan(&p.path, &p.before, &p.now); err != nil {
			return err
		}
		pairs = append(pairs, p)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	last := map[string]runfile.Report{} // of the pair before: it is the next one's older review, mostly
	for _, p := range pairs {
		var fresh, fixed *int
		if p.now != "-" {
			old := strings.Join(strings.Split(p.now, " ")[:strings.Count(p.now, " ")-1], " ")
			was, err := once(last, old)
			if err != nil {
				continue // it went this moment; the next look tells
			}
			is, err := once(last, p.path)
			if err != nil {
				continue
			}
			d := report.Diff(was, is)
			fresh, fixed = new(len(d.New)), new(len(d.Fixed))
			last = map[string]runfile.Report{old: was, p.path: is}
		}
		_, err := tx.ExecContext(ctx, "UPDATE review SET before = ?, new = ?, fixed = ? WHERE path = ?", p.now, fresh, fixed, p.path)
		if err != nil {
			return err
		}
	}
	return nil
}

func once(last map[string]runfile.Report, path string) (runfile.Report, error) {
	if r, ok := last[path]; ok {
		return r, nil
	}
	return read(path)
}

// Of are the reviews of a codebase, the oldest first. codebase is its absolute path.
func (i *Index) Of(ctx context.Context, codebase string) ([]Entry, error) {
	rows, err := i.db.QueryContext(ctx, `SELECT run, path, hash, at, status, root, worker, coverage, findings, critical, high, new, fixed
		FROM review WHERE repo = ? ORDER BY at, path`, codebase)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []Entry{}
	for rows.Next() {
		var e Entry
		var at int64
		if err := rows.Scan(&e.Run, &e.Path, &e.Commit, &at, &e.Status, &e.Root, &e.Worker, &e.Coverage, &e.Findings, &e.Critical, &e.High,
			&e.New, &e.Fixed); err != nil {
			return nil, err
		}
		e.At = time.Unix(0, at).UTC()
		all = append(all, e)
	}
	return all, rows.Err()
}

// Codebases are all that were reviewed, in the order of their paths.
func (i *Index) Codebases(ctx context.Context) ([]string, error) {
	rows, err := i.db.QueryContext(ctx, "SELECT DISTINCT repo FROM review ORDER BY repo")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var repo string
		if err := rows.Scan(&repo); err != nil {
			return nil, err
		}
		all = append(all, repo)
	}
	return all, rows.Err()
}

// How far a look goes.
const (
	maxDepth   = 4 // directories in directories
	maxVisited = 200_000
)

// walk looks for reviews.
type walk struct {
	ctx     context.Context
	known   map[string]stamp
	there   map[string]stamp
	found   []string
	visited int
}

// enter looks at a directory. One that is known to hold a review is not listed again.
func (w *walk) enter(dir string, depth int) {
	if w.visited++; w.visited > maxVisited || w.ctx.Err() != nil {
		return
	}
	_, known := w.known[dir]
	if known && w.report(dir) {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // another user's, or gone
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == runfile.ReportName }) && w.report(dir) {
		return
	}
	for _, e := range entries {
		if e.IsDir() && depth < maxDepth && !strings.HasPrefix(e.Name(), ".") && e.Name() != "checkouts" && e.Name() != "node_modules" {
			w.enter(filepath.Join(dir, e.Name()), depth+1)
		}
	}
}

func (w *walk) report(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, runfile.ReportName))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	w.there[dir] = stamp{info.Size(), info.ModTime().UnixNano()}
	w.found = append(w.found, dir)
	return true
}

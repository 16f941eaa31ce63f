package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// application and version mark a file as ours, with these tables. Another file is made anew.
const (
	application = 0x64725f68
	version     = 1
)

// A look reads all rows, and what a row costs is its columns: so what many reviews share is one of them, and figures are another.
const (
	tables = `CREATE TABLE review (
		run TEXT PRIMARY KEY, stamp TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL,
		status TEXT NOT NULL, figures TEXT NOT NULL, before TEXT NOT NULL, said TEXT NOT NULL
	) WITHOUT ROWID`
	choose = "SELECT run, stamp, source, id, hash, at, status, figures, before, said FROM review"
	put    = "INSERT OR REPLACE INTO review VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

// index is the file, held by this process alone.
type index struct {
	db   *sql.DB
	lock *flock.Flock
}

// patience is how long a look waits for another process that is at work on the same index: it is reading what this one would.
const patience = time.Minute

// openIndex opens a file, and makes it, and its directory, where it is not there. What is no index of this version is removed.
func openIndex(ctx context.Context, file string) (*index, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	lock := flock.New(file + lockSuffix)
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if held, err := lock.TryLockContext(waiting, 20*time.Millisecond); !held {
		return nil, errors.Join(err, lock.Close())
	}
	_, missing := os.Stat(file)
	db, err := openDB(ctx, file)
	if err != nil {
		if err = remove(file); err == nil {
			db, err = openDB(ctx, file)
		}
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	now := time.Now()
	_ = os.Chtimes(file+lockSuffix, now, now) // it was used
	if missing != nil {
		prune(filepath.Dir(file), now.Add(-maxAge))
	}
	return &index{db, lock}, nil
}

// maxAge is how long an index stays that nobody uses: its runs may be gone.
const maxAge = 30 * 24 * time.Hour

const lockSuffix = ".lock"

// prune removes the indexes in a directory that were last used before a time.
func prune(dir string, before time.Time) {
	locks, _ := filepath.Glob(filepath.Join(dir, "*.sqlite"+lockSuffix)) // the pattern is not malformed
	for _, lock := range locks {
		if info, err := os.Lstat(lock); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = errors.Join(remove(strings.TrimSuffix(lock, lockSuffix)), os.Remove(lock))
		}
	}
}

func (x *index) close() error { return errors.Join(x.db.Close(), x.lock.Close()) }

// remove removes an index, and what a process left beside it that was killed. Nothing but files is removed.
func remove(file string) error {
	for _, name := range []string{file, file + "-journal"} {
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil && info.IsDir():
			return fmt.Errorf("%s is a directory", name)
		case err == nil:
			err = os.Remove(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openDB opens a file that nobody else has open. A pipe or a device is not opened.
func openDB(ctx context.Context, file string) (*sql.DB, error) {
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", file)
	}
	about := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: "_pragma=synchronous(normal)&_pragma=trusted_schema(0)"}
	db, err := sql.Open("sqlite", about.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var app, had int
	err = db.QueryRowContext(ctx, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").Scan(&app, &had)
	if err == nil && (app != application || had != version) {
		var held int // tables
		if err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&held); err == nil && (held > 0 || app != 0 || had != 0) {
			err = errors.New("it is another program's, or another version's")
		}
		if err == nil {
			_, err = db.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", tables, application, version))
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// load gives what is indexed, by run.
func (x *index) load(ctx context.Context) (map[string]*row, error) {
	found, err := x.db.QueryContext(ctx, choose)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	all, sources := map[string]*row{}, map[string]source{}
	for found.Next() {
		var r row
		var at int64
		var of, figures, said string
		if err := found.Scan(&r.Run, &r.stamp, &of, &r.ID, &r.Commit, &at, &r.Status, &figures, &r.before, &said); err != nil {
			return nil, err
		}
		if at != 0 {
			r.At = time.Unix(0, at).UTC()
		}
		s, known := sources[of]
		if !known {
			if err := json.Unmarshal([]byte(of), &s); err != nil {
				return nil, err
			}
			sources[of] = s
		}
		r.setSource(s)
		if err := r.setFigures(figures); err != nil {
			return nil, err
		}
		switch {
		case r.Status == "":
			r.problem = said
		case said != "":
			r.Notes = strings.Split(said, "\n")
		}
		all[r.Run] = &r
	}
	return all, found.Err()
}

// save writes what changed, and removes runs that are gone.
func (x *index) save(ctx context.Context, rows []*row, gone []string) error {
	if len(gone) == 0 && !slices.ContainsFunc(rows, func(r *row) bool { return r.changed }) {
		return nil
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	row, err := tx.PrepareContext(ctx, put)
	if err != nil {
		return err
	}
	defer row.Close()
	for _, r := range rows {
		if !r.changed {
			continue
		}
		at := int64(0)
		if !r.At.IsZero() {
			at = r.At.UnixNano()
		}
		of, err := json.Marshal(r.source())
		if err != nil {
			return err
		}
		said := strings.Join(r.Notes, "\n")
		if r.Status == "" {
			said = r.problem
		}
		_, err = row.ExecContext(ctx, r.Run, r.stamp, string(of), r.ID, r.Commit, at, string(r.Status), r.figures(), r.before, said)
		if err != nil {
			return err
		}
	}
	for _, run := range gone {
		if _, err := tx.ExecContext(ctx, "DELETE FROM review WHERE run = ?", run); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, r := range rows {
		r.changed = false
	}
	return nil
}

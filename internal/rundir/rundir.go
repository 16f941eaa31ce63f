// Package rundir is the directory that a run owns: a review's, an eval's, a bench's. It is made or opened, locked, and
// closed; files in it are replaced whole, its journals continue after their last whole line, and its manifest is read
// back.
//
// Invariants: a run begins in an empty directory and in no other, so that neither an earlier run nor a user's own files
// are written over; one process at a time works in a directory; a file that is replaced holds the old content or the new
// one at every moment, never half of one; no link in the directory has anything outside it read, written or cut.
//
// The package knows no file but the manifest's name, the lock and .gitignore: the run decides what it leaves.
// It asks no questions and prints nothing; its errors speak of the directory in the words of a [Kind].
package rundir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/gofrs/flock"
)

// ManifestName is the file that says what a run was asked to do. It is the first that a run writes.
const ManifestName = "run.json"

// Names of files that every run's directory has.
const (
	lockName   = ".lock"
	ignoreName = ".gitignore"
)

// Kind is a sort of run, in the words of errors and hints.
type Kind struct {
	// Name is the run's name: run, eval.
	Name string
	// Leaves is what it writes: reports, results.
	Leaves string
	// By names what told the user the directory: analyze.
	By string
	// Files are names by which a directory that holds a run is known, beside [ManifestName]. Defaults to none.
	Files []string
	// Plan is a file by which a directory is known that a command has made for this run: files that the command put
	// there may stay. Defaults to none.
	Plan string
	// Taken is the error for a directory that holds a run.
	Taken func(path string) error
}

// Dir is a run's directory, locked until it is closed.
type Dir struct {
	path string
	root *os.Root
	lock *flock.Flock
}

const another = "choose another one with --out DIR"

// fault is an error of the file system about the directory itself.
func (k Kind) fault(err error) error { return fmt.Errorf("%s directory: %w", k.Name, err) }

// Create makes the directory for a new run and locks it. One that holds anything is refused: nothing is overwritten. Only
// where a command has made the directory for this run (see [Kind]), there may be other things.
func Create(path string, k Kind) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, hint.Wrap(k.fault(err), another)
	}
	if _, err := os.Lstat(filepath.Join(path, lockName)); err != nil { // a lock is not left in a directory that is not ours
		if err := k.refuseUsed(path); err != nil {
			return nil, err
		}
	}
	d, err := Open(path, k)
	if err != nil {
		return nil, err
	}
	if err := k.refuseUsed(path); err != nil { // another run may have come first
		d.Close()
		return nil, err
	}
	// The directory may lie in a repository: neither git nor a later review should take what a run leaves for source.
	if err := d.Write(ignoreName, func(w io.Writer) error { _, err := io.WriteString(w, "*\n"); return err }); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// refuseUsed is an error for a directory that holds anything but a lock, or what was laid there for the run.
func (k Kind) refuseUsed(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return hint.Wrap(k.fault(err), another)
	}
	used, planned := false, false
	_, err = os.Lstat(filepath.Join(path, lockName))
	begun := err == nil // by a run that was killed before its manifest was there
	for _, e := range entries {
		if e.Name() == ManifestName || slices.Contains(k.Files, e.Name()) {
			return k.Taken(path)
		}
		used = used || e.Name() != lockName && !(begun && k.first(e.Name()))
		planned = planned || e.Name() == k.Plan
	}
	if used && !planned {
		return hint.Wrap(fmt.Errorf("%s is not empty", path),
			"give a new directory with --out DIR: "+k.Leaves+" are not written over other files")
	}
	return nil
}

// first reports what a run writes before its manifest stands: .gitignore, and the halves of it and of the manifest.
func (k Kind) first(name string) bool {
	for _, whole := range []string{ignoreName, ManifestName, k.Plan} {
		if half, ok := strings.CutPrefix(name, "."+whole+"-"); ok && whole != "" && half != "" {
			return true
		}
	}
	return name == ignoreName
}

// Open locks the directory of an earlier run, or refuses it while another process works in it.
func Open(path string, k Kind) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, k.fault(err)
	}
	d := &Dir{path: path, root: root, lock: flock.New(filepath.Join(path, lockName))}
	held := false
	info, err := root.Lstat(lockName)
	if err == nil && !info.Mode().IsRegular() { // locking would make a file wherever a link leads
		err = fmt.Errorf("%s is no regular file", lockName)
	} else {
		held, err = tryLock(d.lock)
	}
	if held {
		return d, nil
	}
	root.Close()
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("lock %s directory: %w", k.Name, err), "the directory must be writable")
	}
	return nil, hint.Wrap(fmt.Errorf("another deeprepo is working in %s", path), "wait for it, or choose another directory with --out DIR")
}

// Close unlocks the directory.
func (d *Dir) Close() error { return errors.Join(d.root.Close(), d.lock.Unlock()) }

// Path is the directory as it was given.
func (d *Dir) Path() string { return d.path }

// File is the path of a file in the directory, for messages: to open one, go through Root.
func (d *Dir) File(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Root opens files in the directory; it follows no link out of it. It is closed with the directory.
func (d *Dir) Root() *os.Root { return d.root }

// Discard removes a run that never began, with what it has made under the given names, so that the directory can be used
// again. The directory stays where something else lies in it.
func (d *Dir) Discard(names ...string) {
	for _, name := range append(names, ManifestName, awayName, ignoreName, lockName) {
		_ = d.root.RemoveAll(name)
	}
	_ = os.Remove(d.path)
}

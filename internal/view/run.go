package view

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Run is one run directory, open for reading. It is safe for concurrent use.
type Run struct {
	path     string // absolute
	root     *os.Root
	kind     Kind
	manifest manifest
	damage   error // why the manifest is not to be read
	now      func() time.Time

	evals  evalTables                          // an eval's rollouts
	tables recent[string, *table]              // the files of lines that have been asked for
	made   recent[string, func() (any, error)] // what was computed from files
	traces recent[string, *index]              // the traces that have been asked for
}

// Error is why there is no such document.
type Error struct {
	Status  int // as in HTTP: 404 no such thing, 413 too large, 422 damaged
	Message string
	Hint    string // what can be done, or ""
}

func (e *Error) Error() string { return e.Message }

func notFound(format string, a ...any) *Error {
	return &Error{Status: 404, Message: fmt.Sprintf(format, a...)}
}

func damaged(format string, a ...any) *Error {
	return &Error{Status: 422, Message: fmt.Sprintf(format, a...)}
}

// ID names a run by the path of its directory: the same in every list and link.
func ID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// Open opens the run in a directory. What kind of run it is follows from its manifest, or, where there is none, from what
// lies there. A directory without any run is an *Error.
func Open(dir string) (*Run, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, notFound("%s: %v", dir, err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, &Error{Status: 404, Message: plain(err), Hint: "give the directory of a run, the one with run.json in it"}
	}
	r := &Run{
		path: path, root: root, now: time.Now, tables: recent[string, *table]{most: maxTables},
		made: recent[string, func() (any, error)]{most: maxDerived}, traces: recent[string, *index]{most: maxTraces},
	}
	r.kind, r.manifest, r.damage = r.identify()
	if r.kind == Unknown && r.damage == nil {
		root.Close()
		return nil, &Error{Status: 404, Message: path + " holds no run", Hint: "give the directory of a run, the one with run.json in it"}
	}
	return r, nil
}

// Close lets go of the directory.
func (r *Run) Close() error { return r.root.Close() }

// Path is the run's directory.
func (r *Run) Path() string { return r.path }

// Get answers a resource: "" is the run's [Header]. The document is one to be marshalled as JSON; what it holds must not
// be changed. The error is an *Error.
func (r *Run) Get(resource string) (any, error) {
	if resource == "" {
		return r.Header()
	}
	name, rest, _ := strings.Cut(resource, "/")
	get, ok := resources(r.kind)[name]
	if !ok {
		return nil, notFound("a run of the kind %s has no %q", r.kind, termtext.CutWith(name, 80, "…"))
	}
	doc, err := get(r, rest)
	if err == nil {
		return doc, nil
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		return nil, known
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound("%s", plain(err))
	}
	return nil, damaged("%s", plain(err))
}

// held reports whether a process is at work in the directory.
func (r *Run) held() bool { return rundir.Held(r.path) }

// plain is an error's text without the operation in front of a path's.
func plain(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Path + ": " + path.Err.Error()
	}
	return err.Error()
}

package view

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Run is one run directory, open for reading. It is safe for concurrent use.
type Run struct {
	dir    *dir.Dir
	kind   doc.Kind
	shown  doc.Shown
	damage error // why the manifest is not to be read
	now    func() time.Time
}

// ID names a run by the path of its directory: the same in every list and link.
func ID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// Open opens the run in a directory. What kind of run it is follows from its manifest, or, where there is none, from what
// lies there. A directory without any run is a [*doc.Error].
func Open(name string) (*Run, error) {
	d, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	kind, damage := identify(d)
	if kind == doc.Unknown && damage == nil {
		d.Close()
		return nil, dir.NoRun(d.Path() + " holds no run")
	}
	return &Run{d, kind, show(kind, d), damage, time.Now}, nil
}

// Close lets go of the directory.
func (r *Run) Close() error { return r.dir.Close() }

// Path is the run's directory.
func (r *Run) Path() string { return r.dir.Path() }

// document answers a path that is not the header's. The error is a [*doc.Error].
func (r *Run) document(path string) (any, error) {
	name, rest, _ := strings.Cut(path, "/")
	get, ok := r.shown.Documents[name]
	if !ok {
		return nil, doc.NotFound("a run of the kind %s has no %q", r.kind, doc.Clip(name, 80))
	}
	one, err := get(rest)
	if err != nil {
		return nil, doc.Of(err)
	}
	return one, nil
}

package rundir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Write replaces a file in one step: a reader, or a crash, meets the old file or the new one, never half of one. When
// fill fails the old file stands.
func (d *Dir) Write(name string, fill func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
		}
	}()
	part := "." + name + "-" + rand.Text()
	tmp, err := d.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = fill(tmp); err == nil {
		err = errors.Join(tmp.Chmod(0o644), tmp.Sync())
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = d.root.Rename(part, name)
	}
	if err != nil {
		_ = d.root.Remove(part)
	}
	return err
}

// WriteJSON replaces a file by v, indented.
func (d *Dir) WriteJSON(name string, v any) error {
	return d.Write(name, func(w io.Writer) error { return jsonfile.Write(w, v) })
}

// Sweep removes what is left of a Write of that name that was killed.
func (d *Dir) Sweep(name string) {
	parts, _ := fs.Glob(d.root.FS(), "."+name+"-*") // the pattern is not malformed
	for _, part := range parts {
		_ = d.root.Remove(part)
	}
}

// Trace opens or creates a journal for appending and returns the events that it holds already (see [trace.Continue]).
// Without durable nothing is flushed to disk: where nothing is paid, losing the last seconds before a power cut costs
// nothing, and flushing after every turn would cost most of a scripted run's time. A kill loses nothing either way.
func (d *Dir) Trace(name string, durable bool, now func() time.Time, watch func(trace.Event)) (*trace.Writer, []trace.Event, error) {
	f, err := bounded.OpenOrCreate(d.root, name)
	if err != nil {
		return nil, nil, fmt.Errorf("trace: %w", err)
	}
	var file trace.Journal = f
	if !durable {
		file = unflushed{f}
	}
	w, past, err := trace.Continue(file, now, watch)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", d.File(name), err)
	}
	return w, past, nil
}

// unflushed is a file that is not flushed to disk.
type unflushed struct{ *os.File }

// Sync does nothing.
func (unflushed) Sync() error { return nil }

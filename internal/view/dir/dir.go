// Package dir reads a run's directory, which may be a stranger's. Nothing in it is changed, nothing outside of it is read,
// whatever links lie in it, and every file, line and list is bounded.
package dir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Dir is a run's directory, open for reading. It is safe for concurrent use.
type Dir struct {
	*Root
	tables
	memory
	// Manifest is what run.json says of every run; empty where there is none.
	Manifest Manifest
}

// Manifest is what every kind of run.json has, and its options as they are.
type Manifest struct {
	runfile.Manifest
	Options json.RawMessage `json:"options"`
	Spec    json.RawMessage `json:"spec"`   // a bench's
	Recipe  json.RawMessage `json:"recipe"` // of pairs
	Size    json.RawMessage `json:"size"`   // of a review's codebase: runfile.Size
}

// Open opens a directory.
func Open(name string) (*Dir, error) {
	root, err := openRoot(name)
	if err != nil {
		return nil, err
	}
	return &Dir{
		Root: root, tables: tables{root, Recent[string, *table]{Most: maxTables}},
		memory: memory{root, Recent[string, func() (any, error)]{Most: maxDerived}},
	}, nil
}

// Asked reads the part of the manifest that says what was asked for. What has another shape is left out.
func (d *Dir) Asked(v any) { Fill(d.Manifest.Options, v) }

// Fill reads those fields of an object that fit.
func Fill(raw json.RawMessage, v any) {
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, v) // the fields that fit are filled in
	}
}

// Outcome reads the file that a run writes at its end. Where there is none, the run is at work or was killed.
func (d *Dir) Outcome(h *doc.Header, name string, v any) (ended bool, err error) {
	err = d.ReadJSON(name, v)
	if errors.Is(err, fs.ErrNotExist) {
		h.Status = doc.Partial
		h.Hint = "it did not come to its end; " + d.Resume()
		return false, nil
	}
	return err == nil, err
}

// Resume is the hint for a run that can be continued.
func (d *Dir) Resume() string { return "continue with deeprepo resume " + d.path }

// Row reads one line of a file of lines of JSON.
func (d *Dir) Row(name string, line int, v any) error {
	l, err := d.Lines(name)
	if err != nil {
		return err
	}
	if line >= l.Count() {
		return doc.Damaged("%s has changed while it was read", name)
	}
	text, err := l.Read(line)
	if err != nil {
		return err
	}
	if err := bounded.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s, line %d: %w", name, line+1, err)
	}
	return nil
}

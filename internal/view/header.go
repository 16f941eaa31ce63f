package view

import (
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// maxTop is how many of a directory's own entries are looked at for changes.
const maxTop = 1_000

// header is the header without the runs within.
func (r *Run) header(live bool) doc.Header {
	m := r.dir.Manifest
	h := doc.Header{
		Row: doc.Row{ID: ID(r.Path()), Kind: r.kind, Name: filepath.Base(r.Path()), Path: r.Path(), StartedAt: m.StartedAt,
			Models: []string{}},
		Sections: []doc.Section{}, Children: []doc.Row{}, Facts: []doc.Fact{},
	}
	for _, part := range r.shown.Parts {
		if slices.ContainsFunc(part.Files, r.dir.Has) {
			h.Sections = append(h.Sections, part.Section)
		}
	}
	h.UpdatedAt = r.updated()
	h.Live = live
	err := r.shown.Describe(&h)
	if err = errors.Join(r.damage, err); err != nil {
		h.Status, h.Problem, h.Hint = doc.Broken, doc.Plain(err), "what can be read is shown"
	}
	if h.Live {
		h.Status, h.Hint = doc.Running, ""
	}
	switch {
	case h.Live:
		h.DurationS = since(h.StartedAt, r.now())
	case h.DurationS == nil:
		h.DurationS = since(h.StartedAt, h.UpdatedAt)
	}
	h.Fact("version", m.Version)
	return h
}

// since is the seconds from a beginning that is known.
func since(begin, until time.Time) *float64 {
	d := until.Sub(begin).Seconds()
	if begin.IsZero() || d <= 0 {
		return nil
	}
	return &d
}

// updated is when a file in the directory last changed.
func (r *Run) updated() time.Time {
	var last time.Time
	for _, e := range r.dir.Files("", maxTop) {
		if e.At.After(last) {
			last = e.At
		}
	}
	return last
}

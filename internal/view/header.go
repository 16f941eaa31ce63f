package view

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Header describes the run: what it is, how it went, what there is to see. A run that is damaged has one too, with its
// problem.
func (r *Run) Header() (Header, error) {
	return r.whole(r.held()) // asked before the files are read: a run that ends meanwhile is asked about again
}

// whole is the header of a run that is at work, or not.
func (r *Run) whole(live bool) (Header, error) {
	h := r.header(live)
	if h.Kind == Review && !r.has(reportName) {
		r.soFar(&h)
	}
	h.Children = r.children()
	if h.Status == Partial && slices.ContainsFunc(h.Children, func(c Row) bool { return c.Status == Running }) {
		h.Status, h.Live, h.Hint = Running, true, "" // see atWork
	}
	return h, nil
}

// header is the header without the runs within.
func (r *Run) header(live bool) Header {
	m := r.manifest
	h := Header{
		Row:      Row{ID: ID(r.path), Kind: r.kind, Name: filepath.Base(r.path), Path: r.path, StartedAt: m.StartedAt, Models: []string{}},
		Sections: sections(r), Children: []Row{}, Facts: []Fact{},
	}
	h.UpdatedAt = r.updated()
	h.Live = live
	err := r.describe(&h)
	if err = errors.Join(r.damage, err); err != nil {
		h.Status, h.Problem, h.Hint = Broken, plain(err), "what can be read is shown"
	}
	if h.Live {
		h.Status, h.Hint = Running, ""
	}
	switch {
	case h.Live:
		h.DurationS = since(h.StartedAt, r.now())
	case h.DurationS == nil:
		h.DurationS = since(h.StartedAt, h.UpdatedAt)
	}
	h.fact("version", m.Version)
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

// describe fills in what depends on the kind.
func (r *Run) describe(h *Header) error {
	switch r.kind {
	case Review:
		return r.describeReview(h)
	case Eval:
		return r.describeEval(h)
	case Bench:
		return r.describeBench(h)
	case CodeEval:
		return r.describeCodeEval(h)
	case Compare:
		return r.describeCompare(h)
	case Pairs:
		return r.describePairs(h)
	case Training:
		return r.describeTraining(h)
	}
	return nil
}

// outcome reads the file that a run writes at its end. Where there is none, the run is at work or was killed.
func (r *Run) outcome(h *Header, name string, v any) (ended bool, err error) {
	err = r.readJSON(name, v)
	if errors.Is(err, fs.ErrNotExist) {
		h.Status = Partial
		h.Hint = "it did not come to its end: deeprepo resume " + r.path + " goes on with it"
		if h.Kind == Pairs { // resume knows no builds
			h.Hint = "it did not come to its end: the command that began it, with --out " + r.path + ", goes on with it"
		}
		return false, nil
	}
	return err == nil, err
}

// fact adds a fact that has a value.
func (h *Header) fact(name, value string) {
	if value != "" {
		h.Facts = append(h.Facts, Fact{name, termtext.CutWith(value, 500, "…")})
	}
}

// model adds a model that has a name.
func (h *Header) model(name string) {
	if name != "" && !slices.Contains(h.Models, name) && len(h.Models) < 50 {
		h.Models = append(h.Models, termtext.CutWith(name, 200, "…"))
	}
}

// options reads the part of a manifest that says what was asked for. What has another shape is left out.
func options(raw json.RawMessage, v any) {
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, v) // the fields that fit are filled in
	}
}

// updated is when a file in the directory last changed.
func (r *Run) updated() time.Time {
	var last time.Time
	for _, e := range r.files("", maxTop) {
		if e.at.After(last) {
			last = e.at
		}
	}
	return last
}

// status is a word of ours in a file, or broken.
func status(word string) Status {
	switch s := Status(word); s {
	case Completed, Partial, Failed:
		return s
	}
	return Broken
}

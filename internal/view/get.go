package view

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// whole is the header of a run that is at work, or not.
func (r *Run) whole(live bool) doc.Header {
	h := r.header(live)
	if r.shown.SoFar != nil {
		r.shown.SoFar(&h)
	}
	h.Children = r.children()
	r.addFleet(&h)
	if h.Status == doc.Partial && slices.ContainsFunc(h.Children, func(c doc.Row) bool { return c.Status == doc.Running }) {
		h.Status, h.Live, h.Hint = doc.Running, true, "" // see atWork
	}
	return h
}

// Get answers a path: "" is the run's header, which says what the run is, how it went and what there is to see, and which a run
// that is damaged has, too, with its problem. The document is one to be marshalled as JSON; what it holds must not be changed.
// The error is a [*doc.Error].
func (r *Run) Get(path string) (any, error) {
	if path == "" {
		return r.whole(r.dir.Held()), nil // asked before the files are read: a run that ends meanwhile is asked about again
	}
	return r.document(path)
}

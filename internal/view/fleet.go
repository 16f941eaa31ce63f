package view

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What of a fleet is shown at most.
const (
	maxWorkers = 1_000
	maxKinds   = 20
	maxName    = 64 // bytes of a worker's or a kind's name
)

// addFleet says which machines did the run's items, where a fleet did. Names come from other machines.
func (r *Run) addFleet(h *doc.Header) {
	var w runfile.FleetWork
	err := r.dir.ReadJSON(runfile.FleetName, &w)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		h.Fact("fleet", "who did what cannot be read: "+doc.Plain(err))
		return
	}
	w.URL, w.Workers = doc.Clip(w.URL, 500), doc.List(w.Workers)
	for _, s := range w.Workers[min(len(w.Workers), maxWorkers):] {
		w.Others += s.Items
	}
	w.Workers = w.Workers[:min(len(w.Workers), maxWorkers)]
	for i := range w.Workers {
		s := &w.Workers[i]
		kinds := map[string]int64{}
		for _, kind := range slices.Sorted(maps.Keys(s.Kinds))[:min(len(s.Kinds), maxKinds)] {
			kinds[doc.Clip(kind, maxName)] += s.Kinds[kind]
		}
		s.Name, s.Kinds = doc.Clip(s.Name, maxName), kinds
	}
	h.Fleet = &w
}

package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// design says what projects of a template consist of. Files are named by their paths, which are those of their texts
// below templates/DIR too. A file with a name to fill in its path belongs to an entity.
type design struct {
	dir      string
	own      []string   // the project's packages; one with a name in it is there for each entity
	perFiles int        // a project has one entity for so many files, and two
	core     []string   // files of the smallest project, those of the first entity among them
	entity   []string   // what every entity has
	shared   [][]string // what comes besides, in this order, together with files of the first entity that use it
	pace     int        // so many of shared come with every entity
	extra    []string   // what an entity may have, in any order
	least    int        // so many of extra it has at least
	listed   string     // README and main list the entities that have this file
	choices  []choice
	values   func(w *writer, t thing) grow.Values // further values for the texts of an entity, nil for none
}

// choice is one of some words that is drawn for each file of a kind, before it is varied.
type choice struct {
	file, name string
	among      []string
}

// part is one file of a project. Parts stand in an order in which each needs only earlier ones.
type part struct {
	path string
	text string // of the design
	of   thing  // whose file it is, when ofEntity(text)
}

func ofEntity(file string) bool {
	return strings.Contains(file, "_file_") || strings.Contains(file, "_pkg_")
}

// plan lists the files of the project: the core, then entities and shared files in turn.
func (w *writer) plan() {
	first := w.things[0]
	w.add(first, w.core...)
	shared := w.shared
	for i := 0; len(w.parts) < w.spec.Files; i++ {
		t := w.things[i]
		w.add(t, w.entity...)
		for range min(w.pace, len(shared)) {
			w.add(first, shared[0]...)
			shared = shared[1:]
		}
		var extra []string
		for _, file := range w.extra {
			if !w.planned[grow.FillName(file, t.values)] {
				extra = append(extra, file)
			}
		}
		w.r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		w.add(t, extra[:w.least+w.r.IntN(len(extra)-w.least+1)]...)
	}
	for _, p := range w.parts[w.spec.Files:] {
		delete(w.planned, p.path)
	}
	w.parts = w.parts[:w.spec.Files]
}

// add plans files that are not planned yet.
func (w *writer) add(t thing, files ...string) {
	for _, file := range files {
		path := grow.FillName(file, t.values)
		if !w.planned[path] {
			w.planned[path] = true
			w.parts = append(w.parts, part{path, file, t})
		}
	}
}

// having gives the values of the entities that have a file; in a large project only the first of them, the rest is for
// others to use.
func (w *writer) having(file string) []grow.Values {
	var out []grow.Values
	for _, t := range w.things {
		if len(out) < 40 && w.planned[grow.FillName(file, t.values)] {
			out = append(out, t.values)
		}
	}
	return out
}

package view

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
)

// How far and how much of a directory is looked at for changes.
const (
	maxTop   = 1_000 // entries of the directory itself
	maxEntry = 5_000 // with those of the directories in it
	maxDepth = 3
)

// entry is a file of the directory as it was last written.
type entry struct {
	name string // with slashes
	size int64
	at   time.Time
}

// Version changes when something in the directory that documents are made of has changed, or when a run in it has begun
// or ended. It reads no file.
func (r *Run) Version() string {
	h := fnv.New64a()
	n := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		for _, e := range r.files(dir, maxEntry-n) {
			n++
			fmt.Fprintf(h, "%s %d %d\n", e.name, e.size, e.at.UnixNano())
			if path.Base(e.name) == ".lock" {
				fmt.Fprintln(h, rundir.Held(path.Join(r.path, dir)))
			}
		}
		if depth == maxDepth {
			return
		}
		for _, name := range r.directories(dir, maxTop) {
			if n < maxEntry {
				walk(name, depth+1)
			}
		}
	}
	walk("", 0)
	return fmt.Sprintf("%016x", h.Sum64())
}

// files lists the regular files in a directory within the run's, at most so many, in the order of their names.
func (r *Run) files(dir string, most int) []entry {
	var list []entry
	for _, d := range r.list(dir, most) {
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, entry{path.Join(dir, d.Name()), info.Size(), info.ModTime()})
		}
	}
	return list
}

// directories lists the directories in a directory within the run's.
func (r *Run) directories(dir string, most int) []string {
	var list []string
	for _, d := range r.list(dir, most) {
		if d.IsDir() {
			list = append(list, path.Join(dir, d.Name()))
		}
	}
	return list
}

// list reads a directory within the run's, at most so many entries of it.
func (r *Run) list(dir string, most int) []fs.DirEntry {
	if dir == "" {
		dir = "."
	}
	f, err := r.root.Open(dir)
	if err != nil || most <= 0 {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(most) // what there is before an error
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

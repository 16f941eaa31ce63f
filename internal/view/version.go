package view

import (
	"fmt"
	"hash/fnv"
	"path"

	"github.com/deeprepo/deeprepo/internal/rundir"
)

// maxEntry is how many entries are looked at for changes, those of the directories within among them.
const maxEntry = 5_000

// Version changes when something in the directory that documents are made of has changed, or when a run in it has begun
// or ended. It reads no file.
func (r *Run) Version() string {
	h := fnv.New64a()
	n := 0
	var walk func(within string, depth int)
	walk = func(within string, depth int) {
		for _, e := range r.dir.Files(within, maxEntry-n) {
			n++
			fmt.Fprintf(h, "%s %d %d\n", e.Name, e.Size, e.At.UnixNano())
			if path.Base(e.Name) == ".lock" {
				fmt.Fprintln(h, rundir.Held(path.Join(r.Path(), within)))
			}
		}
		if depth == maxDepth {
			return
		}
		for _, name := range r.dir.Directories(within, maxTop) {
			if n < maxEntry {
				walk(name, depth+1)
			}
		}
	}
	walk("", 0)
	return fmt.Sprintf("%016x", h.Sum64())
}

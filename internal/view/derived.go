package view

import (
	"fmt"
	"sync"
)

// maxDerived bounds how many things that were computed from files a Run remembers.
const maxDerived = 4

// derived computes something from files, and remembers it until one of them changes. The names are of everything that is
// read; what is computed must not be changed by anybody.
func (r *Run) derived(what string, names []string, compute func() (any, error)) (any, error) {
	key := what
	for _, name := range names {
		if info, err := r.stat(name); err == nil {
			key += fmt.Sprintf("\x00%s %d %d", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	// Computing takes its time: others wait for this answer alone.
	made := r.made.get(key, func() func() (any, error) { return sync.OnceValues(compute) })
	return made()
}

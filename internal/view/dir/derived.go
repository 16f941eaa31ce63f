package dir

import (
	"fmt"
	"sync"
)

// maxDerived bounds how many things that were computed from files a Dir remembers.
const maxDerived = 4

// memory is what was computed from a directory's files.
type memory struct {
	root *Root
	made Recent[string, func() (any, error)]
}

// Derived computes something from files, and remembers it until one of them changes. The names are of everything that is
// read; what is computed must not be changed by anybody.
func (m *memory) Derived(what string, names []string, compute func() (any, error)) (any, error) {
	key := what
	for _, name := range names {
		if info, err := m.root.Stat(name); err == nil {
			key += fmt.Sprintf("\x00%s %d %d", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	// Computing takes its time: others wait for this answer alone.
	made := m.made.Get(key, func() func() (any, error) { return sync.OnceValues(compute) })
	return made()
}

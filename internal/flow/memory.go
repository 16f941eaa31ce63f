package flow

import (
	"slices"
	"sync"
	"weak"
)

// Memory is where Lazily tells what it found out, so that who reads files of the same codebase need not follow their values again. It
// holds nothing back from the garbage collector. The zero Memory is empty, and nil is one that stays so.
type Memory struct {
	mu   sync.Mutex
	kept []weak.Pointer[Result]
}

// keep remembers a result, for as long as somebody else holds it.
func (m *Memory) keep(r *Result) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = slices.DeleteFunc(m.kept, func(p weak.Pointer[Result]) bool { return p.Value() == nil })
	m.kept = append(m.kept, weak.Make(r))
}

// Of gives what was found out of a codebase that files belong to, and the files that were not read then. It is nil where a file was
// read as another tree: the codebase is another one.
func (m *Memory) Of(files []Source) (known *Result, rest []Source) {
	if m == nil {
		return nil, files
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range slices.Backward(m.kept) {
		r := p.Value()
		if r == nil || slices.ContainsFunc(files, func(f Source) bool { return r.trees[f.Path] != nil && r.trees[f.Path] != f.Tree }) {
			continue
		}
		unread := slices.DeleteFunc(slices.Clone(files), func(f Source) bool { return r.trees[f.Path] != nil })
		if len(unread) < len(files) {
			return r, unread
		}
	}
	return nil, files
}

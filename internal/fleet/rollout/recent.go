package rollout

import "sync"

// mostOpened is how many things of a sort a worker holds.
const mostOpened = 8

// recent holds what was opened last, each once, by what decides it. It is safe for concurrent use.
type recent[T any] struct {
	mu    sync.Mutex
	by    map[string]*opened[T]
	order []string // the oldest first
}

// opened is what several rollouts share.
type opened[T any] struct {
	mu    sync.Mutex
	there bool
	value T
}

// get is what a key decides, opened where it is not held. Who waits for another's attempt tries itself when that failed.
func (r *recent[T]) get(key string, open func() (T, error)) (T, error) {
	o := r.at(key)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.there {
		return o.value, nil
	}
	value, err := open()
	if err == nil {
		o.value, o.there = value, true
	}
	return value, err
}

// at is a key's place.
func (r *recent[T]) at(key string) *opened[T] {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.by[key]
	if o == nil {
		if r.by == nil {
			r.by = map[string]*opened[T]{}
		}
		o = &opened[T]{}
		r.by[key] = o
		if r.order = append(r.order, key); len(r.order) > mostOpened {
			delete(r.by, r.order[0])
			r.order = r.order[1:]
		}
	}
	return o
}

package env

import "sync"

// Recent remembers the tasks that were made last, since rollouts of one task come together. It is safe for concurrent use.
type Recent[K comparable] struct {
	Keep int // how many

	mu    sync.Mutex
	tasks map[K]Task
	order []K // oldest first
}

// Get is the task of a key, made where it is not remembered.
func (r *Recent[K]) Get(key K, make func() (Task, error)) (Task, error) {
	r.mu.Lock()
	t, ok := r.tasks[key]
	r.mu.Unlock()
	if ok {
		return t, nil
	}
	t, err := make()
	if err != nil {
		return Task{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.tasks[key]; !ok {
		if r.tasks == nil {
			r.tasks = map[K]Task{}
		}
		r.tasks[key], r.order = t, append(r.order, key)
		if len(r.order) > r.Keep {
			delete(r.tasks, r.order[0])
			r.order = r.order[1:]
		}
	}
	return t, nil
}

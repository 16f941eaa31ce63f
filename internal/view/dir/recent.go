package dir

import (
	"slices"
	"sync"
)

// Recent remembers the values that were asked for last. It is safe for concurrent use.
type Recent[K comparable, V any] struct {
	Most int

	mu   sync.Mutex
	kept map[K]V
	keys []K // longest unused first
}

// Get returns the value of a key, made where it is not known. What has not been asked for the longest is forgotten.
func (c *Recent[K, V]) Get(key K, fresh func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[K]V{}
	}
	v, ok := c.kept[key]
	if ok {
		c.keys = slices.DeleteFunc(c.keys, func(k K) bool { return k == key })
	} else {
		v = fresh()
		c.kept[key] = v
	}
	if c.keys = append(c.keys, key); len(c.keys) > c.Most {
		delete(c.kept, c.keys[0])
		c.keys = slices.Delete(c.keys, 0, 1)
	}
	return v
}

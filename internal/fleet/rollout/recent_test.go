package rollout

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestRecent: what many want at once is opened once, a failure is not remembered, and the oldest goes first.
func TestRecent(t *testing.T) {
	var r recent[int]
	if _, err := r.get("a", func() (int, error) { return 0, errors.New("gone") }); err == nil {
		t.Error("no error")
	}
	var opened atomic.Int64
	open := func() (int, error) { return int(opened.Add(1)), nil }
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if v, err := r.get("a", open); v != 1 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	all.Wait()
	for i := range mostOpened {
		if v, _ := r.get(fmt.Sprint(i), open); v != i+2 {
			t.Errorf("%d is %d", i, v)
		}
	}
	if again, _ := r.get("1", open); again != 3 || len(r.by) != mostOpened {
		t.Errorf("%d, %d are held", again, len(r.by))
	}
	if v, _ := r.get("a", open); v != mostOpened+2 {
		t.Error("the oldest is still held")
	}
}

package openenv

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
)

func TestTaskCache(t *testing.T) {
	made := map[int]int{}
	var mu sync.Mutex
	files := 1
	cache := newTaskCache(t.Context(), func(_ context.Context, _ env.Selection, i int) (env.Task, error) {
		mu.Lock()
		defer mu.Unlock()
		made[i]++
		if i == 99 && made[i] == 1 {
			return env.Task{}, errors.New("not this time")
		}
		texts := map[string]string{}
		for f := range files {
			texts[fmt.Sprintf("f%d.py", f)] = "x = 1\n"
		}
		return env.Task{ID: fmt.Sprint(i), Codebase: codebase.FromMap(texts)}, nil
	})
	get := func(i int) error {
		task, err := cache.get(t.Context(), env.Selection{}, i)
		if err == nil && task.ID != fmt.Sprint(i) {
			t.Errorf("task %s for %d", task.ID, i)
		}
		return err
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { get(1) })
	}
	wg.Wait()
	if made[1] != 1 {
		t.Errorf("made %d times for all who wanted it at once", made[1])
	}
	if get(99) == nil || get(99) != nil {
		t.Error("a failure was kept")
	}
	for i := range keepTasks {
		get(200 + i)
	}
	if get(1); made[1] != 2 || cache.recent.Len() != keepTasks || len(cache.byKey) != keepTasks || cache.files != keepTasks {
		t.Errorf("made %d times, %d kept with %d files", made[1], cache.recent.Len(), cache.files)
	}
	files = keepFiles * 2 / 3
	get(300)
	get(301)
	cache.wg.Wait()
	if cache.recent.Len() != 1 || len(cache.byKey) != 1 || cache.files != files {
		t.Errorf("%d large tasks are kept, with %d files", cache.recent.Len(), cache.files)
	}
	gone, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	if _, err := cache.get(gone, env.Selection{}, 999); !errors.Is(err, errGone) && err != nil {
		t.Error(err)
	}
	cache.wg.Wait()
}

package env

import (
	"errors"
	"testing"
)

func TestRecent(t *testing.T) {
	r := Recent[int]{Keep: 2}
	made := 0
	get := func(key int) string {
		task, err := r.Get(key, func() (Task, error) { made++; return Task{ID: string(rune('a' + key))}, nil })
		if err != nil {
			t.Fatal(err)
		}
		return task.ID
	}
	if _, err := r.Get(0, func() (Task, error) { return Task{}, errors.New("no") }); err == nil {
		t.Error("the error of a task that cannot be made is lost")
	}
	if got := get(0) + get(1) + get(0) + get(1); got != "abab" || made != 2 {
		t.Errorf("%s, %d made", got, made)
	}
	if get(2); len(r.tasks) != 2 || len(r.order) != 2 {
		t.Errorf("%d tasks stay in memory, want 2", len(r.tasks))
	}
	if got := get(1); got != "b" || made != 3 {
		t.Errorf("%s, %d made: what is not the oldest stays", got, made)
	}
	if got := get(0); got != "a" || made != 4 {
		t.Errorf("%s, %d made: the oldest goes first", got, made)
	}
}

package verify_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/deeprepo/deeprepo/internal/verify"
)

func TestEach(t *testing.T) {
	done := 0
	got, err := verify.Each(t.Context(), []int{1, 2, 3}, 2, func(n, total int) { done = n * total },
		func(_ context.Context, n int) (int, error) { return n * n, nil })
	if err != nil || !maps.Equal(got, map[int]int{1: 1, 2: 4, 3: 9}) || done != 9 {
		t.Errorf("%v, %v, %d", got, err, done)
	}
	fault := errors.New("fault")
	if got, err := verify.Each(t.Context(), []int{1, 2, 3}, 0, nil, func(_ context.Context, n int) (int, error) {
		if n > 1 {
			return 0, fault
		}
		return n, nil
	}); !errors.Is(err, fault) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	idle := func(context.Context, int) (int, error) { return 0, nil }
	if _, err := verify.Each(ended, []int{1}, 1, nil, idle); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

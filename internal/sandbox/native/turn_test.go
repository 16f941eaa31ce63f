package native

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// TestTurns holds the only turn: programs wait with their processes forked, one that is given up leaves its zygotes to the next,
// and all of it comes back.
func TestTurns(t *testing.T) {
	b, err := Open(t.Context(), Config{Workers: 1})
	if errors.As(err, new(*Error)) {
		t.Skip("no jails here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if len(b.free) != 2 || b.Callers() != 2 {
		t.Fatalf("%d lanes, for %d callers", len(b.free), b.Callers())
	}
	warm := maps.Clone(b.idle[1].zygotes) // the one used last, by Open
	if len(warm) != 2 {
		t.Fatalf("%d zygotes", len(warm))
	}
	done, err := b.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := sandbox.Program{Code: "def f(x): return x", Entry: "f", Tests: []sandbox.Test{{Name: "t", Code: "assert f(1) == 1"}}}
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error, 1)
	go func() { _, err := b.Exec(ctx, p); given <- err }()
	forked := func(z *zygote) bool {
		z.mu.Lock()
		defer z.mu.Unlock()
		return z.live != nil
	}
	for _, z := range warm {
		for !forked(z) && len(given) == 0 {
			runtime.Gosched()
		}
	}
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	judged := make(chan sandbox.Judgement)
	go func() { j, _ := b.Exec(t.Context(), p); judged <- j }()
	done()
	if j := <-judged; j.Verdict != sandbox.Passed {
		t.Error(j.Verdict, j.Error)
	}
	if len(b.turns) != 0 || len(b.free) != 2 {
		t.Errorf("%d turns are held, %d lanes are free", len(b.turns), len(b.free))
	}
	for name, z := range b.idle[1].zygotes {
		if z != warm[name] || z.gone() {
			t.Errorf("the %s did not outlast a program that was given up", name)
		}
	}
}

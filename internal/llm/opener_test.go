package llm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// opened is a registry of one paid provider "p", whose every call counts in calls, and of two scripts.
func opened(calls *int) *Registry {
	price := &Price{Output: money.Dollar}
	registry := NewRegistry(nil)
	registry.Register("p", func(model string) (Handle, error) { return Handle{Model: counting(calls), Price: price}, nil })
	for _, script := range []string{"offline", "policy"} {
		registry.Register(script, func(string) (Handle, error) { return Handle{Model: counting(calls), Scripted: true}, nil })
	}
	return registry
}

func complete(t *testing.T, h Handle, err error) Response {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.Model.Complete(t.Context(), question("a"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOpenerCachesWorkersAndNoRoots(t *testing.T) {
	var calls int
	o := NewOpener(OpenerConfig{Registry: opened(&calls), Root: "p/root", Worker: "p/worker", Cache: openCache(t, CacheConfig{})})
	open := func(f func(*Budget) (Handle, error)) Response { h, err := f(nil); return complete(t, h, err) }
	worker := func(name string) func(*Budget) (Handle, error) {
		return func(pool *Budget) (Handle, error) { return o.Worker(name, pool) }
	}
	for _, tt := range []struct {
		name   string
		open   func(*Budget) (Handle, error)
		cached bool
	}{
		{"a worker", worker(""), false}, {"the same by name", worker("p/worker"), true},
		{"the root", o.Root, false}, {"the root again", o.Root, false},
		{"the root as a worker", worker("p/root"), false}, {"and again", worker("p/root"), true}, {"the root as a root", o.Root, false},
	} {
		before := calls
		if got := open(tt.open); got.FromCache != tt.cached || (calls == before) != tt.cached {
			t.Errorf("%s: from the cache: %v, %d calls", tt.name, got.FromCache, calls-before)
		}
	}
}

func TestOpenerOpensNoOtherModel(t *testing.T) {
	o := NewOpener(OpenerConfig{Registry: opened(new(int)), Root: "p/root", Worker: "p/worker", Run: "eval"})
	if _, err := o.Worker("q/other", nil); err == nil ||
		err.Error() != `model "q/other" is not part of this eval; leave model out, or use "p/worker"` {
		t.Errorf("error %v", err)
	}
	if _, err := NewOpener(OpenerConfig{Registry: opened(new(int)), Root: "p/root", Worker: "r/none"}).Worker("", nil); err == nil {
		t.Error("a model of no provider was opened")
	}
}

func TestOpenerSharesLimitsByProviderAndSizesByModel(t *testing.T) {
	o := NewOpener(OpenerConfig{Registry: opened(new(int)), Root: "p/root", Worker: "p/worker"})
	var limiter *Limiter
	var estimator *Estimator
	for round := range 2 {
		for _, open := range []func(*Budget) (Handle, error){o.Root, func(b *Budget) (Handle, error) { return o.Worker("", b) }} {
			if _, err := open(nil); err != nil {
				t.Fatal(err)
			}
			if round == 0 && limiter == nil {
				limiter, estimator = o.limiters["p"], o.estimators["p/root"]
			}
		}
	}
	if limiter == nil || o.limiters["p"] != limiter || o.estimators["p/root"] != estimator {
		t.Error("a later opening begins anew")
	}
	if len(o.limiters) != 1 || len(o.estimators) != 2 || o.estimators["p/root"] == o.estimators["p/worker"] {
		t.Errorf("%d limiters, %d estimators", len(o.limiters), len(o.estimators))
	}
}

// TestOpenerDressesPaidModelsOnly: a paid model takes its money from the pool; a script is as the registry gives it.
func TestOpenerDressesPaidModelsOnly(t *testing.T) {
	var calls int
	for root, want := range map[string]bool{"p/root": true, "offline/orchestrator": false, "policy/null": false} {
		h, err := NewOpener(OpenerConfig{Registry: opened(&calls), Root: root}).Root(NewBudget(1)) // too little for anything
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Model.Complete(t.Context(), question("a")); errors.Is(err, ErrBudget) != want || h.Scripted == want {
			t.Errorf("%s: %v, scripted %v", root, err, h.Scripted)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

func TestOpenerSaysSometimesThatTheProviderMakesItWait(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after []time.Duration // Retry-After of failures in a row
		said  int
	}{
		{"not worth a word", []time.Duration{time.Second, time.Second}, 0},
		{"the second one too soon", []time.Duration{3 * time.Second, 3 * time.Second}, 1},
		{"later again", []time.Duration{20 * time.Second, 3 * time.Second}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left := slices.Clone(tt.after)
				registry := NewRegistry(nil)
				registry.Register("p", func(string) (Handle, error) {
					return Handle{Model: Func(func(context.Context, Request) (Response, error) {
						if len(left) == 0 {
							return Response{Text: "ok"}, nil
						}
						err := &Error{Kind: KindOverloaded, Status: 503, RetryAfter: left[0]}
						left = left[1:]
						return Response{}, err
					})}, nil
				})
				var said []string
				o := NewOpener(OpenerConfig{Registry: registry, Root: "p/m", Say: func(s string) { said = append(said, s) }})
				h, err := o.Root(nil)
				complete(t, h, err)
				if len(said) != tt.said || len(said) > 0 && (!strings.HasPrefix(said[0], "p/m: ") || !strings.Contains(said[0], "; trying again in ")) {
					t.Errorf("%q", said)
				}
			})
		})
	}
}

package llm

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/money"
)

// BenchmarkStack is what all the wrappers cost for one dispatch of a 40 kB prompt, the model's own time being none.
func BenchmarkStack(b *testing.B) {
	cost := money.USD(5)
	h := Handle{Name: "p/m", Price: &Price{Input: money.Dollar, Output: money.Dollar},
		Model: Func(func(ctx context.Context, r Request) (Response, error) {
			return Response{Text: "ok", Finish: FinishLength, Usage: Usage{InputTokens: 10_000, OutputTokens: 10}, Cost: &cost}, nil
		})}
	cache, err := OpenCache(CacheConfig{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	m := Stack(h, StackConfig{Budget: NewBudget(1_000_000 * money.Dollar), Limiter: NewLimiter(), Cache: cache})
	r := question(strings.Repeat("func main() { println(1) }\n", 1500))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Complete(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCacheHit is a reply served from disk.
func BenchmarkCacheHit(b *testing.B) {
	cache, err := OpenCache(CacheConfig{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	calls := 0
	m := cache.Wrap(counting(&calls), "p/m")
	r := question(strings.Repeat("func main() { println(1) }\n", 1500))
	for b.Loop() {
		if _, err := m.Complete(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
	if calls != 1 {
		b.Fatalf("%d calls", calls)
	}
}

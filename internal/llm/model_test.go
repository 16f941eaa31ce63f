package llm

import (
	"math"
	"testing"
)

func TestUsageAddHolds(t *testing.T) {
	all := func(n int64) Usage { return Usage{n, n, n, n} }
	for _, tt := range []struct{ a, b, want int64 }{
		{1, 2, 3}, {math.MaxInt64, 1, math.MaxInt64}, {math.MaxInt64, math.MaxInt64, math.MaxInt64}, {-5, 3, 3}, {math.MinInt64, math.MinInt64, 0},
	} {
		if got := all(tt.a).Add(all(tt.b)); got != all(tt.want) {
			t.Errorf("%d + %d = %+v, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPlausibleUsage(t *testing.T) {
	for _, tt := range []struct {
		usage Usage
		want  bool
	}{
		{Usage{}, true}, {Usage{InputTokens: 2_000_000, OutputTokens: 128_000}, true}, {Usage{OutputTokens: 1e15}, false},
		{Usage{InputTokens: math.MaxInt64}, false}, {Usage{InputTokens: -1}, false}, {Usage{CachedTokens: math.MinInt64}, false},
		{Usage{CacheWriteTokens: 1e9}, false},
	} {
		if got := tt.usage.Plausible(); got != tt.want {
			t.Errorf("%+v: %v", tt.usage, got)
		}
	}
}

package runfile

import (
	"math"
	"testing"
)

func TestTokensAddHolds(t *testing.T) {
	all := func(n int64) Tokens { return Tokens{n, n, n, n} }
	for _, tt := range []struct{ a, b, want int64 }{
		{1, 2, 3}, {math.MaxInt64, 1, math.MaxInt64}, {math.MaxInt64, math.MaxInt64, math.MaxInt64}, {-5, 3, 3}, {math.MinInt64, math.MinInt64, 0},
	} {
		if got := all(tt.a).Add(all(tt.b)); got != all(tt.want) {
			t.Errorf("%d + %d = %+v, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPlausibleTokens(t *testing.T) {
	for _, tt := range []struct {
		tokens Tokens
		want   bool
	}{
		{Tokens{}, true}, {Tokens{InputTokens: 2_000_000, OutputTokens: 128_000}, true}, {Tokens{OutputTokens: 1e15}, false},
		{Tokens{InputTokens: math.MaxInt64}, false}, {Tokens{InputTokens: -1}, false}, {Tokens{CachedTokens: math.MinInt64}, false},
		{Tokens{CacheWriteTokens: 1e9}, false},
	} {
		if got := tt.tokens.Plausible(); got != tt.want {
			t.Errorf("%+v: %v", tt.tokens, got)
		}
	}
}

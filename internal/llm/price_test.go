package llm

import (
	"math/big"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func usd(t testing.TB, s string) money.USD {
	t.Helper()
	u, err := money.ParseUSD(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCostIsExact(t *testing.T) {
	cached, write := usd(t, "0.30"), usd(t, "3.75")
	sonnet := Price{Input: usd(t, "3"), Output: usd(t, "15"), CachedInput: &cached, CacheWrite: &write}
	tiered := Price{Input: usd(t, "2.5"), Output: usd(t, "15"), Tiers: []Tier{{Over: 272_000, Input: usd(t, "5"), Output: usd(t, "22.5")}}}
	tests := []struct {
		name  string
		price Price
		usage Usage
		want  string
	}{
		{"nothing", sonnet, Usage{}, "0"},
		{"one token in", Price{Input: usd(t, "0.0375")}, Usage{InputTokens: 1}, "0.0000000375"},
		{"in and out", sonnet, Usage{InputTokens: 1000, OutputTokens: 100}, "0.0045"},
		{"cached and written", sonnet, Usage{InputTokens: 1000, CachedTokens: 600, CacheWriteTokens: 300, OutputTokens: 10}, "0.001755"},
		{"more cached than input", sonnet, Usage{InputTokens: 10, CachedTokens: 50}, "0.000003"},
		{"at the tier", tiered, Usage{InputTokens: 272_000, OutputTokens: 1000}, "0.695"},
		{"over the tier", tiered, Usage{InputTokens: 272_001, OutputTokens: 1000}, "1.382505"},
		{"rounded up", Price{Input: 1}, Usage{InputTokens: 1}, "0.000000000001"},
		{"huge", Price{Input: money.MaxUSD}, Usage{InputTokens: 1 << 62}, money.MaxUSD.Decimal()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.price.Cost(tt.usage); got != usd(t, tt.want) {
				t.Errorf("cost %s, want $%s", got, tt.want)
			}
		})
	}
}

func drawPrice(t *rapid.T) Price {
	amount := func(name string) money.USD {
		return money.USD(rapid.Int64Range(0, 200*int64(money.Dollar)).Draw(t, name))
	}
	maybe := func(name string) *money.USD {
		if rapid.Bool().Draw(t, "has "+name) {
			u := amount(name)
			return &u
		}
		return nil
	}
	p := Price{Input: amount("in"), Output: amount("out"), CachedInput: maybe("cached"), CacheWrite: maybe("write")}
	if rapid.Bool().Draw(t, "tiered") {
		p.Tiers = []Tier{{Over: rapid.Int64Range(1, 1_000_000).Draw(t, "over"), Input: amount("in2"), Output: amount("out2"),
			CachedInput: maybe("cached2"), CacheWrite: maybe("write2")}}
	}
	return p
}

// TestCostAgainstRationals: the sum equals rational arithmetic, rounded up once; and no usage within the bounds costs
// more than the worst case that was reserved for it.
func TestCostAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPrice(t)
		u := Usage{InputTokens: rapid.Int64Range(0, 2_000_000).Draw(t, "input"), OutputTokens: rapid.Int64Range(0, 200_000).Draw(t, "output")}
		u.CachedTokens = rapid.Int64Range(0, u.InputTokens).Draw(t, "cached")
		u.CacheWriteTokens = rapid.Int64Range(0, u.InputTokens-u.CachedTokens).Draw(t, "written")
		in, out, cached, write := p.Input, p.Output, p.CachedInput, p.CacheWrite
		if len(p.Tiers) > 0 && u.InputTokens > p.Tiers[0].Over {
			in, out, cached, write = p.Tiers[0].Input, p.Tiers[0].Output, p.Tiers[0].CachedInput, p.Tiers[0].CacheWrite
		}
		if cached == nil {
			cached = &in
		}
		if write == nil {
			write = &in
		}
		sum := new(big.Int)
		add := func(tokens int64, rate money.USD) {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(tokens), big.NewInt(int64(rate))))
		}
		add(u.InputTokens-u.CachedTokens-u.CacheWriteTokens, in)
		add(u.CachedTokens, *cached)
		add(u.CacheWriteTokens, *write)
		add(u.OutputTokens, out)
		want, rem := new(big.Int).DivMod(sum, big.NewInt(1_000_000), new(big.Int))
		if rem.Sign() > 0 {
			want.Add(want, big.NewInt(1))
		}
		got := p.Cost(u)
		if want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Fatalf("cost %d, want %s", got, want)
		}
		more := rapid.Int64Range(0, 500_000).Draw(t, "slack")
		if worst := p.WorstCase(u.InputTokens+more, u.OutputTokens+more); got > worst {
			t.Fatalf("cost %s is over the worst case %s", got, worst)
		}
	})
}

func TestSnapshot(t *testing.T) {
	p, err := DefaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	if p.Date == "" || p.Source == "" {
		t.Error("the snapshot has no date or source")
	}
	opus := p.Lookup("anthropic/claude-opus-4-6", nil)
	if opus.Price == nil || opus.Price.Input != 5*money.Dollar || opus.Price.Output != 25*money.Dollar ||
		*opus.Price.CacheWrite != usd(t, "6.25") ||
		opus.Price.Source != "snapshot" || opus.Price.Date != p.Date || opus.Context == 0 {
		t.Errorf("claude-opus-4-6 = %+v %+v", opus, opus.Price)
	}
	banded, err := ReadPrices(
		strings.NewReader(`{"date":"2026-11-21","providers":{"a":{"m":{"cost":{"input":5,"output":25,` +
			`"tiers":[{"over":272000,"input":10,"output":40}]}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if m := banded.Lookup("a/m", nil); m.Price == nil || len(m.Price.Tiers) != 1 || m.Price.Tiers[0].Over != 272_000 {
		t.Errorf("a banded price = %+v", m.Price)
	}
	if got := p.Lookup("openai/nobody-knows", nil); got.Price != nil || got.Context != 0 {
		t.Errorf("an unknown model has %+v", got)
	}
	for _, provider := range []string{"anthropic", "openai", "openrouter"} {
		if len(p.Models(provider)) < 5 {
			t.Errorf("%d models of %s", len(p.Models(provider)), provider)
		}
	}
}

func TestUserPricesWin(t *testing.T) {
	var file struct {
		Model map[string]ModelConfig `toml:"model"`
	}
	err := toml.Unmarshal([]byte(`
[model."openai/my-root"]
input = 15.0
output = 75
cached_input = 0.0375
context = 200_000
[model."anthropic/claude-opus-4-6"]
context = 500_000
`), &file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := DefaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	cached := usd(t, "0.0375")
	want := ModelInfo{Name: "openai/my-root", Context: 200_000,
		Price: &Price{Input: 15 * money.Dollar, Output: 75 * money.Dollar, CachedInput: &cached, Source: "config"}}
	if diff := cmp.Diff(want, p.Lookup("openai/my-root", file.Model)); diff != "" {
		t.Errorf("override (-want +got):\n%s", diff)
	}
	if got := p.Lookup("anthropic/claude-opus-4-6", file.Model); got.Context != 500_000 || got.Price == nil || got.Price.Source != "snapshot" {
		t.Errorf("context alone: %+v %+v", got, got.Price)
	}
	one, negative := Dollars{money.Dollar}, Dollars{-money.Dollar}
	for _, bad := range []ModelConfig{{Input: &one}, {CachedInput: &one}, {Input: &negative, Output: &one}} {
		if bad.Check("x/y") == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}

func FuzzReadPrices(f *testing.F) {
	f.Add(`{"date":"2026-07-02","providers":{"a":{"m":{"cost":{"input":5,"output":0.0375,"tiers":[{"over":1,"input":1,"output":1}]}}}}}`)
	f.Add(`{"providers":{"a":{"m":{"cost":{"input":-1,"output":1}}}}}`)
	f.Add(`{"providers":{"a":{"m":{}}}}`)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ReadPrices(strings.NewReader(s))
		if err != nil {
			return
		}
		for _, m := range p.models {
			if m.Price == nil || m.Price.Input < 0 || m.Price.Output < 0 || m.Price.Cost(Usage{InputTokens: 10, OutputTokens: 10}) < 0 {
				t.Fatalf("accepted %+v", m.Price)
			}
		}
	})
}

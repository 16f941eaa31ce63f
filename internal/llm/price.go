package llm

import (
	"math/bits"
	"slices"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Price is what a model's tokens cost, in USD per million tokens.
type Price struct {
	Input       money.USD  `json:"input"`
	Output      money.USD  `json:"output"`
	CachedInput *money.USD `json:"cached_input,omitempty"` // nil: charged as Input
	CacheWrite  *money.USD `json:"cache_write,omitempty"`  // nil: charged as Input
	Tiers       []Tier     `json:"tiers,omitempty"`        // ascending by Over
	// Source says who gave the price: "config", "snapshot", "not billed", or whose list
	// `deeprepo models --refresh` fetched.
	Source string `json:"source,omitempty"`
	// Date is the day of the snapshot or the list (2006-01-02), "" elsewhere.
	Date string `json:"date,omitempty"`
}

// Tier is a long-context band: a request whose input is more than Over tokens is charged these rates for all of its
// tokens.
type Tier struct {
	Over        int64      `json:"over"`
	Input       money.USD  `json:"input"`
	Output      money.USD  `json:"output"`
	CachedInput *money.USD `json:"cached_input,omitempty"`
	CacheWrite  *money.USD `json:"cache_write,omitempty"`
}

// NotBilled is the price of models that cost nothing: offline and nano run in this process, and local and
// ollama run on hardware the user already has. It is a known zero, unlike a nil *Price.
func NotBilled() *Price { return &Price{Source: "not billed"} }

// Free reports whether no request to a model of this price can cost anything.
func (p Price) Free() bool {
	return !slices.ContainsFunc(p.bands(), func(r band) bool { return r != band{} })
}

// Same reports whether p and q charge the same, whoever says so.
func (p Price) Same(q Price) bool {
	same := func(a, b Tier) bool { return a.Over == b.Over }
	return slices.Equal(p.bands(), q.bands()) && slices.EqualFunc(p.Tiers, q.Tiers, same)
}

// band is one set of rates with its gaps filled.
type band struct{ input, output, cached, write money.USD }

func newBand(input, output money.USD, cached, write *money.USD) band {
	r := band{input, output, input, input}
	if cached != nil {
		r.cached = *cached
	}
	if write != nil {
		r.write = *write
	}
	return r
}

func (p Price) bands() []band {
	rs := []band{newBand(p.Input, p.Output, p.CachedInput, p.CacheWrite)}
	for _, t := range p.Tiers {
		rs = append(rs, newBand(t.Input, t.Output, t.CachedInput, t.CacheWrite))
	}
	return rs
}

func (p Price) band(input int64) band {
	rs := p.bands()
	r := rs[0]
	for i, t := range p.Tiers {
		if input > t.Over {
			r = rs[i+1]
		}
	}
	return r
}

// Cost is what u costs: the exact sum over its tokens, rounded up once to a whole pico-dollar. Published prices have
// at most six decimals per million tokens, so no rounding takes place for them.
func (p Price) Cost(u Usage) money.USD {
	r := p.band(u.InputTokens)
	cached := clamp(u.CachedTokens, u.InputTokens)
	write := clamp(u.CacheWriteTokens, u.InputTokens-cached)
	var s sum128
	s.add(u.InputTokens-cached-write, r.input)
	s.add(cached, r.cached)
	s.add(write, r.write)
	s.add(u.OutputTokens, r.output)
	return s.perMillion()
}

// WorstCase is the most that a request of at most that many input tokens and output tokens can cost: the dearest
// band it may fall in, with every input token at the dearest of its rates.
func (p Price) WorstCase(input, output int64) money.USD {
	var worst money.USD
	for i, r := range p.bands() {
		if i > 0 && input <= p.Tiers[i-1].Over {
			break
		}
		var s sum128
		s.add(input, max(r.input, r.cached, r.write))
		s.add(output, r.output)
		worst = max(worst, s.perMillion())
	}
	return worst
}

func clamp(v, most int64) int64 { return max(0, min(v, most)) }

// sum128 adds products of tokens and rates without overflow.
type sum128 struct{ hi, lo uint64 }

func (s *sum128) add(tokens int64, perMillion money.USD) {
	if tokens <= 0 || perMillion <= 0 {
		return
	}
	hi, lo := bits.Mul64(uint64(tokens), uint64(perMillion))
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

func (s *sum128) perMillion() money.USD {
	const million = 1_000_000
	if s.hi >= million {
		return money.MaxUSD
	}
	q, rem := bits.Div64(s.hi, s.lo, million)
	if q >= uint64(money.MaxUSD) {
		return money.MaxUSD
	}
	if rem > 0 {
		q++
	}
	return money.USD(q)
}

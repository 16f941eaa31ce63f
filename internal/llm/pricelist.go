package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
)

// mostPrice is the highest price that is believed, per million tokens: more than ten times the dearest model's.
const mostPrice = 10_000 * money.Dollar

// ParsePrices reads a list of prices as it is published: OpenRouter's answer to /models, LiteLLM's model_prices file, or this
// program's own form. Models without a price that can be right are left out and counted. Source and date are those of the
// list where it does not state its own.
func ParsePrices(text []byte, source, date string) (p *Prices, leftOut int, err error) {
	if err := bounded.Check(text, bounded.Values); err != nil {
		return nil, 0, fmt.Errorf("read prices: %w", err)
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, 0, fmt.Errorf("read prices: %w", err)
	}
	p = &Prices{Date: date, Source: source, models: map[string]ModelInfo{}}
	switch {
	case top["providers"] != nil:
		if p, err = ReadPrices(strings.NewReader(string(text))); err != nil {
			return nil, 0, err
		}
		p.Source = source
		if p.Date == "" {
			p.Date = date
		}
	case top["data"] != nil:
		leftOut, err = p.addOpenRouter(top["data"])
	default:
		leftOut = p.addLiteLLM(top)
	}
	if err == nil && len(p.models) == 0 {
		err = errors.New("read prices: it holds no model with a price")
	}
	return p, leftOut, err
}

func (p *Prices) addOpenRouter(data json.RawMessage) (leftOut int, err error) {
	var list []struct {
		ID      string  `json:"id"`
		Context float64 `json:"context_length"`
		Pricing struct {
			Prompt     perToken `json:"prompt"`
			Completion perToken `json:"completion"`
			CacheRead  perToken `json:"input_cache_read"`
			CacheWrite perToken `json:"input_cache_write"`
		} `json:"pricing"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return 0, fmt.Errorf("read prices: %w", err)
	}
	for _, m := range list {
		c := m.Pricing
		if !p.add("openrouter/"+m.ID, tokens(m.Context), c.Prompt, c.Completion, c.CacheRead, c.CacheWrite, nil) {
			leftOut++
		}
	}
	return leftOut, nil
}

// above is the key of a price that holds for requests with more input tokens.
var above = regexp.MustCompile(`^input_cost_per_token_above_(\d{1,6})k_tokens$`)

// addLiteLLM takes the models of providers that this program knows by the same name.
func (p *Prices) addLiteLLM(top map[string]json.RawMessage) (leftOut int) {
	for _, name := range slices.Sorted(maps.Keys(top)) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(top[name], &fields) != nil || fields["input_cost_per_token"] == nil {
			continue
		}
		get := func(key string) (v perToken) {
			_ = v.UnmarshalJSON(fields[key]) // it knows no error
			return v
		}
		var provider string
		var context float64
		_ = json.Unmarshal(fields["litellm_provider"], &provider) // "" is nobody's
		_ = json.Unmarshal(fields["max_input_tokens"], &context)  // 0 is unknown
		if !slices.Contains([]string{"anthropic", "openai", "openrouter"}, provider) {
			continue
		}
		var tiers []Tier
		sound := true
		for key := range fields {
			at := above.FindStringSubmatch(key)
			if at == nil {
				continue
			}
			over, _ := strconv.ParseInt(at[1], 10, 64) // six digits at most
			suffix := "_above_" + at[1] + "k_tokens"
			in, out := get(key), get("output_cost_per_token"+suffix)
			read, write := get("cache_read_input_token_cost"+suffix), get("cache_creation_input_token_cost"+suffix)
			if sound = sound && over > 0 && in.known() && !out.bad && !read.bad && !write.bad; !sound {
				break
			}
			if !out.known() {
				out = get("output_cost_per_token")
			}
			if sound = out.known(); sound {
				tiers = append(tiers, Tier{Over: over * 1000, Input: *in.usd, Output: *out.usd, CachedInput: read.usd, CacheWrite: write.usd})
			}
		}
		slices.SortFunc(tiers, func(a, b Tier) int { return int(a.Over - b.Over) })
		if !sound || !p.add(provider+"/"+strings.TrimPrefix(name, provider+"/"), tokens(context), get("input_cost_per_token"),
			get("output_cost_per_token"), get("cache_read_input_token_cost"), get("cache_creation_input_token_cost"), tiers) {
			leftOut++
		}
	}
	return leftOut
}

// tokens is a size that a model can have, else 0.
func tokens(n float64) int {
	if n >= 1 && n <= 1e9 {
		return int(n)
	}
	return 0
}

// add takes a model, unless a price of it is missing or cannot be right.
func (p *Prices) add(name string, context int, in, out, cached, write perToken, tiers []Tier) bool {
	if len(name) > 200 || strings.HasSuffix(name, "/") || !in.known() || !out.known() || cached.bad || write.bad {
		return false
	}
	p.models[name] = ModelInfo{Name: name, Context: context, Price: &Price{Input: *in.usd, Output: *out.usd, CachedInput: cached.usd,
		CacheWrite: write.usd, Tiers: tiers, Source: p.Source, Date: p.Date}}
	return true
}

// perToken is a price in USD for one token, as a number or a text; usd is that of a million.
type perToken struct {
	usd *money.USD
	bad bool // it is there and is no price
}

func (v perToken) known() bool { return v.usd != nil && !v.bad }

// UnmarshalJSON never fails: one bad price spoils one model, not the list.
func (v *perToken) UnmarshalJSON(text []byte) error {
	*v = perToken{}
	s := strings.Trim(string(text), `"`)
	if s == "" || s == "null" {
		return nil
	}
	usd, err := money.ParseUSD(s)
	if err != nil || usd < 0 || usd > mostPrice/1_000_000 {
		v.bad = true
		return nil
	}
	v.usd = new(usd * 1_000_000)
	return nil
}

// Over is base with the prices of p in place of its own, each under p's name and date.
func (p *Prices) Over(base *Prices) *Prices {
	all := &Prices{Date: base.Date, Source: base.Source, models: maps.Clone(base.models)}
	for name, m := range p.models {
		price := *m.Price
		price.Source, price.Date = p.Source, p.Date
		m.Price = &price
		all.models[name] = m
	}
	return all
}

// All lists the models, sorted by name.
func (p *Prices) All() []ModelInfo {
	var list []ModelInfo
	for _, name := range slices.Sorted(maps.Keys(p.models)) {
		list = append(list, p.models[name])
	}
	return list
}

// Write writes the form that [ReadPrices] reads.
func (p *Prices) Write(w io.Writer) error {
	type band struct {
		Over       int64      `json:"over,omitempty"`
		Input      money.USD  `json:"input"`
		Output     money.USD  `json:"output"`
		CacheRead  *money.USD `json:"cache_read,omitempty"`
		CacheWrite *money.USD `json:"cache_write,omitempty"`
		Tiers      []band     `json:"tiers,omitempty"`
	}
	type model struct {
		Cost  band           `json:"cost"`
		Limit map[string]int `json:"limit,omitempty"`
	}
	providers := map[string]map[string]model{}
	for full, m := range p.models {
		provider, name, _ := strings.Cut(full, "/")
		if providers[provider] == nil {
			providers[provider] = map[string]model{}
		}
		cost := band{Input: m.Price.Input, Output: m.Price.Output, CacheRead: m.Price.CachedInput, CacheWrite: m.Price.CacheWrite}
		for _, t := range m.Price.Tiers {
			cost.Tiers = append(cost.Tiers, band{t.Over, t.Input, t.Output, t.CachedInput, t.CacheWrite, nil})
		}
		limit := map[string]int{}
		if m.Context > 0 {
			limit["context"] = m.Context
		}
		if m.Output > 0 {
			limit["output"] = m.Output
		}
		providers[provider][name] = model{cost, limit}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{"date": p.Date, "source": p.Source, "unit": "USD per million tokens", "providers": providers})
}

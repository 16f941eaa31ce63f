package llm

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
)

// snapshot holds the prices that the program was built with, in the shape of models.dev.
//
//go:embed prices.json
var snapshot []byte

// Prices says what models cost and how much they hold. The order of truth for one call is: the cost that the provider
// reports with the reply, the user's configuration, this snapshot, nothing.
type Prices struct {
	Date   string // day of the snapshot, 2006-01-02
	Source string
	models map[string]ModelInfo
}

// ModelInfo is what is known of a model without asking it.
type ModelInfo struct {
	Name    string `json:"name"`  // provider/model
	Price   *Price `json:"price"` // nil: not known
	Context int    `json:"context,omitempty"`
	Output  int    `json:"output,omitempty"`
}

// ModelConfig is what a user's deeprepo.toml says about a model, USD per million tokens:
//
//	[model."openai/my-root"]
//	input = 15.0
//	output = 75.0
//	cached_input = 1.5
//	context = 200000
type ModelConfig struct {
	// Input and Output set the price when both are given. Default to the snapshot's price.
	Input  *Dollars `toml:"input"`
	Output *Dollars `toml:"output"`
	// CachedInput and CacheWrite default to Input where Input is set here.
	CachedInput *Dollars `toml:"cached_input"`
	CacheWrite  *Dollars `toml:"cache_write"`
	// Context is the window in tokens. Defaults to the snapshot's, else unknown.
	Context int `toml:"context"`
}

// Dollars is an amount in a configuration file. It is a struct because a TOML decoder would put the integer 75 into a
// [money.USD] as 75 pico-dollars.
type Dollars struct{ money.USD }

func (d *Dollars) amount() *money.USD {
	if d == nil {
		return nil
	}
	return &d.USD
}

// Check says what is wrong with c, if anything: a price needs both directions, and nothing is negative.
func (c ModelConfig) Check(name string) error {
	if (c.Input == nil) != (c.Output == nil) {
		return &Error{Kind: KindBadRequest, Model: name, Message: "its configuration sets only one of input and output",
			Hints: "set both, in USD per million tokens"}
	}
	for _, p := range []*Dollars{c.Input, c.Output, c.CachedInput, c.CacheWrite} {
		if p != nil && p.USD < 0 {
			return &Error{Kind: KindBadRequest, Model: name, Message: "its configuration has a negative price",
				Hints: "prices are USD per million tokens, 0 or more"}
		}
	}
	if c.Input == nil && (c.CachedInput != nil || c.CacheWrite != nil) {
		return &Error{Kind: KindBadRequest, Model: name, Message: "its configuration sets a cache price without input and output",
			Hints: "set input and output as well"}
	}
	return nil
}

// DefaultPrices reads the embedded snapshot.
func DefaultPrices() (*Prices, error) { return ReadPrices(bytes.NewReader(snapshot)) }

// ReadPrices reads a price file of the snapshot's form. Numbers are read exactly.
func ReadPrices(r io.Reader) (*Prices, error) {
	type band struct {
		Over       int64      `json:"over"`
		Input      *money.USD `json:"input"`
		Output     *money.USD `json:"output"`
		CacheRead  *money.USD `json:"cache_read"`
		CacheWrite *money.USD `json:"cache_write"`
	}
	var file struct {
		Date      string `json:"date"`
		Source    string `json:"source"`
		Unit      string `json:"unit"`
		Providers map[string]map[string]struct {
			Cost struct {
				band
				Tiers []band `json:"tiers"`
			} `json:"cost"`
			Limit struct {
				Context int `json:"context"`
				Output  int `json:"output"`
			} `json:"limit"`
		} `json:"providers"`
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	p := &Prices{Date: file.Date, Source: file.Source, models: map[string]ModelInfo{}}
	bad := func(b band) bool {
		for _, v := range []*money.USD{b.Input, b.Output, b.CacheRead, b.CacheWrite} {
			if v != nil && (*v < 0 || *v > mostPrice) {
				return true
			}
		}
		return b.Input == nil || b.Output == nil
	}
	for provider, models := range file.Providers {
		for name, m := range models {
			full := provider + "/" + name
			if bad(m.Cost.band) {
				return nil, fmt.Errorf("read prices: %s: input and output must be 0 or more, and no price can be that high", full)
			}
			price := &Price{Input: *m.Cost.Input, Output: *m.Cost.Output, CachedInput: m.Cost.CacheRead, CacheWrite: m.Cost.CacheWrite,
				Source: "snapshot", Date: file.Date}
			for _, t := range m.Cost.Tiers {
				if bad(t) || t.Over <= 0 {
					return nil, fmt.Errorf("read prices: %s: bad tier", full)
				}
				price.Tiers = append(price.Tiers, Tier{Over: t.Over, Input: *t.Input, Output: *t.Output, CachedInput: t.CacheRead,
					CacheWrite: t.CacheWrite})
			}
			slices.SortFunc(price.Tiers, func(a, b Tier) int { return int(a.Over - b.Over) })
			p.models[full] = ModelInfo{Name: full, Price: price, Context: m.Limit.Context, Output: m.Limit.Output}
		}
	}
	return p, nil
}

// Lookup is what is known of the model with that full name, the user's configuration first. Its Price is nil when
// neither knows it.
func (p *Prices) Lookup(name string, overrides map[string]ModelConfig) ModelInfo {
	info := ModelInfo{Name: name}
	if p != nil {
		if m, ok := p.models[name]; ok {
			info = m
		}
	}
	c, ok := overrides[name]
	if !ok {
		return info
	}
	if c.Input != nil && c.Output != nil {
		info.Price = &Price{Input: c.Input.USD, Output: c.Output.USD, CachedInput: c.CachedInput.amount(), CacheWrite: c.CacheWrite.amount(),
			Source: "config"}
	}
	if c.Context > 0 {
		info.Context = c.Context
	}
	return info
}

// Models lists a provider's models in the snapshot, sorted by name.
func (p *Prices) Models(provider string) []ModelInfo {
	var list []ModelInfo
	for name, m := range p.models {
		if strings.HasPrefix(name, provider+"/") {
			list = append(list, m)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

package llm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/suggest"
)

// Provider opens the models of one service.
type Provider interface {
	// Open gives a model by its name without the provider. It does not call out. With an error of [KindNotConfigured] the handle
	// says what is known of the model all the same, and has no Model.
	Open(model string) (Handle, error)
	// Status says what can be said about the provider; it may call out, until ctx ends.
	Status(ctx context.Context) Status
}

// Status is one provider as `deeprepo models` shows it.
type Status struct {
	Provider   string      `json:"provider"`
	Configured bool        `json:"configured"`
	Missing    string      `json:"missing,omitempty"` // the variable to set
	Address    string      `json:"address,omitempty"` // "" for providers inside this process
	Local      bool        `json:"local"`
	Reachable  bool        `json:"reachable"`
	Problem    string      `json:"problem,omitempty"` // why not, without secrets
	Served     []string    `json:"served,omitempty"`  // model names that the provider itself lists, sorted
	Models     []ModelInfo `json:"models"`            // what is known of prices and sizes, sorted by name
}

// Registry opens models by name. It is safe for concurrent use.
type Registry struct {
	// Patience is how long a call to one of the models may wait for its provider; see [RetryConfig]. It is set before the
	// first call. Defaults to RetryConfig's.
	Patience time.Duration

	mu        sync.RWMutex
	providers map[string]Provider
	prices    *Prices
}

// NewRegistry is an empty registry. prices, which may be nil, only serves to suggest names.
func NewRegistry(prices *Prices) *Registry {
	return &Registry{providers: map[string]Provider{}, prices: prices}
}

// Clone is a registry with the same providers, to which others can be added.
func (r *Registry) Clone() *Registry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return &Registry{Patience: r.Patience, providers: maps.Clone(r.providers), prices: r.prices}
}

// RegisterProvider adds a provider, or replaces the one of that name.
func (r *Registry) RegisterProvider(name string, p Provider) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.providers[name] = p
}

// Register adds a provider that runs in this process, such as offline and nano. known are its models' names; when
// any are given, other names are refused before open is called (an adapter, "model:adapter", goes by its model).
// A handle without a price gets [NotBilled].
func (r *Registry) Register(provider string, open func(model string) (Handle, error), known ...string) {
	r.RegisterProvider(provider, inProcess{provider, open, known})
}

// Open gives the model called "provider/model" or "provider/model:adapter".
func (r *Registry) Open(name string) (Handle, error) {
	provider, model, ok := strings.Cut(name, "/")
	r.mu.RLock()
	p := r.providers[provider]
	r.mu.RUnlock()
	if !ok || provider == "" || model == "" {
		return Handle{}, &Error{Kind: KindUnknownModel, Message: fmt.Sprintf("model %q is not of the form provider/model", name),
			Hints: r.suggest(name, "providers: "+strings.Join(r.names(), ", "))}
	}
	if p == nil {
		return Handle{}, &Error{Kind: KindUnknownProvider, Message: fmt.Sprintf("no provider is called %q; there are: %s", provider,
			strings.Join(r.names(), ", ")),
			Hints: r.suggest(name, "")}
	}
	return p.Open(model)
}

// Known is Open for who only has to know what a model is: one whose provider is not configured here has no Model.
func (r *Registry) Known(name string) (Handle, error) {
	h, err := r.Open(name)
	if KindOf(err) == KindNotConfigured {
		return h, nil
	}
	return h, err
}

// List asks every provider for its status at once; the answers are sorted by name.
func (r *Registry) List(ctx context.Context) []Status {
	names := r.names()
	list := make([]Status, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		r.mu.RLock()
		p := r.providers[name]
		r.mu.RUnlock()
		wg.Go(func() { list[i] = p.Status(ctx) })
	}
	wg.Wait()
	return list
}

func (r *Registry) names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Sorted(maps.Keys(r.providers))
}

// suggest names what was probably meant.
func (r *Registry) suggest(name, otherwise string) string {
	var known []string
	if r.prices != nil {
		known = slices.Collect(maps.Keys(r.prices.models))
	}
	r.mu.RLock()
	for n, p := range r.providers {
		known = append(known, n)
		if in, ok := p.(inProcess); ok {
			for _, m := range in.known {
				known = append(known, n+"/"+m)
			}
		}
	}
	r.mu.RUnlock()
	if best := suggest.Nearest(name, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return otherwise
}

// inProcess is a provider without a network.
type inProcess struct {
	name  string
	open  func(model string) (Handle, error)
	known []string
}

func (p inProcess) Open(model string) (Handle, error) {
	base, _, _ := strings.Cut(model, ":")
	if len(p.known) > 0 && !slices.Contains(p.known, base) {
		names := make([]string, len(p.known))
		for i, k := range p.known {
			names[i] = p.name + "/" + k
		}
		hint := "there are: " + strings.Join(names, ", ")
		if best := suggest.Nearest(p.name+"/"+base, names); best != "" {
			hint = fmt.Sprintf("did you mean %q?", best)
		}
		return Handle{}, &Error{Kind: KindUnknownModel, Message: fmt.Sprintf("no model is called %q; there are: %s", p.name+"/"+model,
			strings.Join(names, ", ")), Hints: hint}
	}
	h, err := p.open(model)
	if err != nil {
		return Handle{}, err
	}
	if h.Price == nil {
		h.Price = NotBilled()
	}
	if h.Name == "" {
		h.Name = p.name + "/" + model
	}
	h.Local = true
	h.Model = WithPrice(h.Model, h.Price)
	return h, nil
}

func (p inProcess) Status(context.Context) Status {
	s := Status{Provider: p.name, Configured: true, Reachable: true, Local: true}
	for _, k := range p.known {
		s.Served = append(s.Served, k)
		s.Models = append(s.Models, ModelInfo{Name: p.name + "/" + k, Price: NotBilled()})
	}
	sort.Strings(s.Served)
	return s
}

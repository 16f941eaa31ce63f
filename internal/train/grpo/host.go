package grpo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// HostConfig is what a machine performs works with.
type HostConfig struct {
	// Environment opens an environment by its name, with the data of a hash where that is not "" (Work.Data). It is asked for every
	// work. It must be given.
	Environment func(ctx context.Context, name, data string) (env.Environment, error)
	// Blob gives the content that Machines.Keep gave a hash. It must be given.
	Blob func(ctx context.Context, hash string) ([]byte, error)
	// Sandbox runs the cells. It must be given.
	Sandbox rlm.Sandbox
	// Cores is how many goroutines sample each policy. Defaults to runtime.GOMAXPROCS.
	Cores int
	// Concurrency is how many rollouts of one work are in progress at once. Defaults to 64.
	Concurrency int
}

// Host is a machine that performs works. It holds the policies that it was asked for last, so that all works of a step are
// sampled together. It is safe for concurrent use.
type Host struct {
	c HostConfig

	mu       sync.Mutex
	closed   bool
	policies []*hosted // the oldest first
	base     nano.Policy
	hash     string // of base
}

// hosted is a policy that is being sampled.
type hosted struct {
	key     policyKey
	sampler *nano.Sampler
	users   int // works that are being performed with it
	old     bool
}

// policyKey is all of a work that its sampler depends on.
type policyKey struct {
	weights Weights
	maxCell int
	name    string
}

// mostPolicies is how many policies a host holds: that of a step, and that of the step before, whose last works may be late.
const mostPolicies = 2

// NewHost loads nothing yet.
func NewHost(c HostConfig) *Host {
	c.Concurrency = cmp.Or(c.Concurrency, usualConcurrency)
	return &Host{c: c}
}

// enter gives the policy of a work, and holds it until leave.
func (h *Host) enter(ctx context.Context, w Work) (*hosted, error) {
	h.mu.Lock() // also while it is fetched: who waits wants the same
	defer h.mu.Unlock()
	if h.closed {
		return nil, errors.New("the machine no longer performs works")
	}
	key := policyKey{w.Weights, w.MaxCell, w.Name}
	if i := slices.IndexFunc(h.policies, func(p *hosted) bool { return p.key == key }); i >= 0 {
		h.policies[i].users++
		return h.policies[i], nil
	}
	policy, err := h.fetch(ctx, w)
	if err != nil {
		return nil, fmt.Errorf("the policy's weights: %w", err)
	}
	p := &hosted{key: key, sampler: nano.NewSampler(policy, nano.SamplerConfig{Cores: h.c.Cores, MaxCell: w.MaxCell}), users: 1}
	h.policies = append(h.policies, p)
	if len(h.policies) > mostPolicies {
		h.policies[0].retire()
		h.policies = slices.Delete(h.policies, 0, 1)
	}
	return p, nil
}

// leave is the end of a work.
func (h *Host) leave(p *hosted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.users--; p.old {
		p.retire()
	}
}

// retire closes a policy when nobody uses it any more.
func (p *hosted) retire() {
	if p.old = true; p.users == 0 {
		p.sampler.Close()
	}
}

// fetch gives the policy of a work, and remembers its base.
func (h *Host) fetch(ctx context.Context, w Work) (nano.Policy, error) {
	if h.hash != w.Weights.Base {
		data, err := h.c.Blob(ctx, w.Weights.Base)
		if err != nil {
			return nano.Policy{}, err
		}
		m, t, err := checkpoint.UnpackModel(data)
		if err != nil {
			return nano.Policy{}, err
		}
		h.base, h.hash = nano.Policy{Model: m, Tokenizer: t}, w.Weights.Base
	}
	data, err := h.c.Blob(ctx, w.Weights.Adapter)
	if err != nil {
		return nano.Policy{}, err
	}
	a, err := checkpoint.UnpackAdapter(data, h.base.Model)
	if err != nil {
		return nano.Policy{}, err
	}
	p := nano.Policy{Model: h.base.Model.Merge(a), Tokenizer: h.base.Tokenizer, Name: w.Name}
	return p, p.Validate()
}

// Close ends all sampling: works in progress end with failures.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, p := range h.policies {
		p.sampler.Close()
	}
}

package eval

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// Models opens the policy and the workers of an eval and dresses them (see [llm.Stack]): limits hold for an account, what
// is learned of a model's tokens for the model, money for the pool that a rollout was given. Replies of workers are not
// cached: rollouts of one task are to be independent.
type Models struct {
	registry     *llm.Registry
	root, worker string
	say          func(string)
	now          func() time.Time

	mu         sync.Mutex
	limiters   map[string]*llm.Limiter   // by provider
	estimators map[string]*llm.Estimator // by model
	told       time.Time                 // when the user last heard of a wait
}

// NewModels opens models out of a registry. worker is "" for an environment's own workers; then Worker is not to be used.
func NewModels(registry *llm.Registry, root, worker string, say func(string)) *Models {
	return &Models{registry: registry, root: root, worker: worker, say: say, now: time.Now,
		limiters: map[string]*llm.Limiter{}, estimators: map[string]*llm.Estimator{}}
}

// Scripted reports a model that runs in this program: it needs no retries, bills nothing and cannot fail.
func Scripted(h llm.Handle) bool {
	return strings.HasPrefix(h.Name, "offline/") || strings.HasPrefix(h.Name, "policy/")
}

// Root opens the policy.
func (m *Models) Root(pool *llm.Budget) (llm.Handle, error) { return m.open(m.root, pool) }

// Worker opens a worker by name; "" is the configured one. A cell may name the eval's own models and no others: its text
// is not for every provider that happens to have a key here.
func (m *Models) Worker(name string, pool *llm.Budget) (llm.Handle, error) {
	switch name {
	case "", m.worker:
		return m.open(m.worker, pool)
	case m.root:
		return m.open(m.root, pool)
	}
	return llm.Handle{}, fmt.Errorf("model %q is not part of this eval; leave model out, or use %q", name, m.worker)
}

func (m *Models) open(name string, pool *llm.Budget) (llm.Handle, error) {
	h, err := m.registry.Open(name)
	if err != nil || Scripted(h) {
		return h, err
	}
	provider, _, _ := strings.Cut(name, "/")
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.estimators[name] == nil {
		m.estimators[name] = &llm.Estimator{}
	}
	if m.limiters[provider] == nil {
		m.limiters[provider] = llm.NewLimiter(llm.LimitConfig{})
	}
	h.Model = llm.Stack(h, llm.StackConfig{Budget: pool, Limiter: m.limiters[provider], Estimator: m.estimators[name],
		Retry: llm.RetryConfig{Notify: func(r llm.Retrying) { m.waits(name, r) }}})
	return h, nil
}

// waits tells the user that a provider makes the eval wait, but not at every one of a thousand calls.
func (m *Models) waits(model string, r llm.Retrying) {
	const worth, often = 2 * time.Second, 10 * time.Second
	m.mu.Lock()
	now := m.now()
	tell := r.Wait >= worth && now.Sub(m.told) >= often
	if tell {
		m.told = now
	}
	m.mu.Unlock()
	if tell {
		m.say(fmt.Sprintf("%s: %v; trying again in %s", model, r.Err, r.Wait.Round(time.Second)))
	}
}

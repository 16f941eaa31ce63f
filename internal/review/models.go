package review

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// stack opens the models of a run and dresses them (see [llm.Stack]): limits hold for an account, what is learned of a
// model's tokens for the model, money for the pool that a loop was given, and replies of workers are cached.
type stack struct {
	registry     *llm.Registry
	root, worker string
	cache        *llm.Cache // nil: no cache
	waits        *waits

	mu         sync.Mutex
	limiters   map[string]*llm.Limiter   // by provider
	estimators map[string]*llm.Estimator // by model
}

func newStack(env Env, root, worker string, cache *llm.Cache) *stack {
	return &stack{registry: env.Registry, root: root, worker: worker, cache: cache, waits: &waits{say: env.Say, now: env.Now},
		limiters: map[string]*llm.Limiter{}, estimators: map[string]*llm.Estimator{}}
}

// waits tells the user that a provider makes the run wait, but not at every one of a thousand calls.
type waits struct {
	say func(string)
	now func() time.Time

	mu   sync.Mutex
	last time.Time
}

func (w *waits) notice(model string, r llm.Retrying) {
	const worth, often = 2 * time.Second, 10 * time.Second
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.now(); r.Wait >= worth && now.Sub(w.last) >= often {
		w.last = now
		w.say(fmt.Sprintf("%s: %v; trying again in %s", model, r.Err, r.Wait.Round(time.Second)))
	}
}

// scripted reports a model that runs in this program: it needs no retries and bills nothing, and its replies are not
// cached, for they change with the program.
func scripted(h llm.Handle) bool { return strings.HasPrefix(h.Name, "offline/") }

// open gives a model whose calls are reserved from pool, which may be nil.
func (s *stack) open(name string, pool *llm.Budget, cache *llm.Cache) (llm.Handle, error) {
	h, err := s.registry.Open(name)
	if err != nil || scripted(h) {
		return h, err
	}
	provider, _, _ := strings.Cut(name, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.estimators[name] == nil {
		s.estimators[name] = &llm.Estimator{}
	}
	if s.limiters[provider] == nil {
		s.limiters[provider] = llm.NewLimiter(llm.LimitConfig{})
	}
	h.Model = llm.Stack(h, llm.StackConfig{Cache: cache, Budget: pool, Limiter: s.limiters[provider],
		Estimator: s.estimators[name], Retry: llm.RetryConfig{Notify: func(r llm.Retrying) { s.waits.notice(name, r) }}})
	return h, nil
}

// Root opens the root model. Its replies are never cached: the same opening may be tried twice.
func (s *stack) Root(pool *llm.Budget) (llm.Handle, error) { return s.open(s.root, pool, nil) }

// Worker opens a worker by name; "" is the configured one. A cell may name the run's own models and no others: its text
// is not for every provider that happens to have a key here.
func (s *stack) Worker(name string, pool *llm.Budget) (llm.Handle, error) {
	switch name {
	case "", s.worker:
		return s.open(s.worker, pool, s.cache)
	case s.root:
		return s.open(s.root, pool, s.cache)
	}
	return llm.Handle{}, fmt.Errorf("model %q is not part of this run; leave model out, or use %q", name, s.worker)
}

// check opens both models and refuses a cap that cannot be kept because a price is unknown.
func (s *stack) check(capped bool) (root, worker llm.Handle, err error) {
	if root, err = s.Root(nil); err != nil {
		return root, worker, err
	}
	if worker, err = s.Worker("", nil); err != nil {
		return root, worker, err
	}
	for _, h := range []llm.Handle{root, worker} {
		if capped && h.Price == nil {
			return root, worker, hinted(fmt.Errorf("the price of %s is not known, so a budget cannot be kept", h.Name),
				fmt.Sprintf("set it in deeprepo.toml: [model.%q] input = ..., output = ... (USD per million tokens), or run without --budget", h.Name))
		}
	}
	return root, worker, nil
}

// prices lists what the run's models cost, for run.json.
func prices(handles ...llm.Handle) map[string]*llm.Price {
	m := map[string]*llm.Price{}
	for _, h := range handles {
		m[h.Name] = h.Price
	}
	return m
}

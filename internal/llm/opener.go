package llm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// OpenerConfig says which models an [Opener] opens. Registry and Root must be given.
type OpenerConfig struct {
	Registry *Registry
	Root     string
	// Worker is the configured worker. Defaults to "": there is none, and Opener.Worker is not to be used.
	Worker string
	// Others are further models that take part as workers, such as a verifier. Defaults to none.
	Others []string
	// Cache answers workers' calls. Defaults to none.
	Cache *Cache
	// Run is what the models take part in, for errors. Defaults to "run".
	Run string
	// Say tells the user one line; it must be safe for concurrent use. Defaults to nothing.
	Say func(string)
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Retry configures how calls are repeated. The registry's patience comes first, and Notify, GivenUp and Slow are the
	// opener's. Defaults to RetryConfig's defaults.
	Retry RetryConfig
}

// Opener opens the models of a run and dresses them (see [Stack]): limits hold for an account, what is learned of a
// model's tokens for the model, money for the pool that an opening is given. It is safe for concurrent use.
type Opener struct {
	c OpenerConfig

	mu         sync.Mutex
	limiters   map[string]*Limiter   // by provider
	estimators map[string]*Estimator // by model
	told       map[string]told       // by provider: the last wait that the user was told of
}

// NewOpener opens nothing yet.
func NewOpener(c OpenerConfig) *Opener {
	if c.Run == "" {
		c.Run = "run"
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Opener{c: c, limiters: map[string]*Limiter{}, estimators: map[string]*Estimator{}, told: map[string]told{}}
}

// Root opens the root model. Its calls are reserved from pool, which may be nil. Its replies are never cached: the same
// opening may be tried twice.
func (o *Opener) Root(pool *Budget) (Handle, error) { return o.open(o.c.Root, pool, nil) }

// Worker opens a worker by name; "" is the configured one. A cell may name the run's own models and no others: its text
// is not for every provider that happens to have a key here.
func (o *Opener) Worker(name string, pool *Budget) (Handle, error) {
	switch name {
	case "", o.c.Worker:
		return o.open(o.c.Worker, pool, o.c.Cache)
	case o.c.Root:
		return o.open(o.c.Root, pool, o.c.Cache)
	}
	if slices.Contains(o.c.Others, name) {
		return o.open(name, pool, o.c.Cache)
	}
	return Handle{}, fmt.Errorf("model %q is not part of this %s; leave model out, or use %q", name, o.c.Run, o.c.Worker)
}

func (o *Opener) open(name string, pool *Budget, cache *Cache) (Handle, error) {
	h, err := o.c.Registry.Open(name)
	if err != nil || h.Scripted {
		return h, err
	}
	provider, _, _ := strings.Cut(name, "/")
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.estimators[name] == nil {
		o.estimators[name] = &Estimator{}
	}
	if o.limiters[provider] == nil {
		o.limiters[provider] = NewLimiter()
	}
	retry := o.c.Retry
	retry.Patience = cmp.Or(o.c.Registry.Patience, retry.Patience)
	retry.Notify = func(r Retrying) {
		o.waits(provider, r.Wait, fmt.Sprintf("%s; trying again in %s", o.named(name, r.Err), round(r.Wait)))
	}
	retry.GivenUp = func(e *Error) {
		if e.RetryAfter > 0 {
			o.waits(provider, e.RetryAfter, o.named(name, e)+"; its calls fail until then")
		}
	}
	retry.Slow = func(d time.Duration) {
		o.waits(provider, slowAgain, fmt.Sprintf("%s: no reply yet after %s", name, d))
	}
	h.Model = Stack(h, StackConfig{Cache: cache, Budget: pool, Limiter: o.limiters[provider], Estimator: o.estimators[name], Retry: retry})
	return h, nil
}

// told is a wait that the user was told of.
type told struct{ at, until time.Time }

// slowAgain is when the user is told the next time that replies are slow.
const slowAgain = 5 * time.Minute

// waits tells the user that a provider makes the run wait, but not at every one of a thousand calls: not again soon, and
// not while the wait lasts that was told of.
func (o *Opener) waits(provider string, wait time.Duration, line string) {
	const worth, often = 2 * time.Second, 10 * time.Second
	o.mu.Lock()
	now := o.c.Now()
	until, last := now.Add(wait), o.told[provider]
	tell := wait >= worth && now.Sub(last.at) >= often && until.After(last.until.Add(time.Second))
	if tell {
		o.told[provider] = told{now, until}
	}
	o.mu.Unlock()
	if tell {
		o.c.Say(fmt.Sprintf("%s (%s)", termtext.Inline(line), until.Format("15:04:05"))) // it holds a provider's words
	}
}

// named is the text of a model's error.
func (o *Opener) named(model string, err error) string {
	if text := err.Error(); strings.HasPrefix(text, model+": ") {
		return text
	}
	return fmt.Sprintf("%s: %v", model, err)
}

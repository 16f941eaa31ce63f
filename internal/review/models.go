package review

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// models opens the models that a run's options name.
func (e Env) models(o Options) *llm.Opener {
	c := llm.OpenerConfig{Registry: e.Registry, Root: o.Root, Worker: o.Worker, Cache: e.Cache, Say: e.Say, Now: e.Now, Retry: e.Retry}
	if o.Verifier != "" {
		c.Others = []string{o.Verifier}
	}
	if o.NoCache {
		c.Cache = nil
	}
	return llm.NewOpener(c)
}

// check opens both models and refuses a cap that cannot be kept because a price is unknown.
func check(models *llm.Opener, capped bool) (root, worker llm.Handle, err error) {
	if root, err = models.Root(nil); err != nil {
		return root, worker, err
	}
	if worker, err = models.Worker("", nil); err != nil {
		return root, worker, err
	}
	for _, h := range []llm.Handle{root, worker} {
		if capped && h.Price == nil {
			return root, worker, unpriced(h.Name)
		}
	}
	return root, worker, nil
}

// Check refuses what no review with these options could begin with, whatever the codebase: models that are not there or have
// no price for the cap, a strategy, a suppress file or a baseline report that is none.
func Check(o Options, env Env) error {
	env = env.withDefaults()
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	models := env.models(o)
	root, worker, err := check(models, o.Budget != nil)
	if err != nil {
		return err
	}
	if o.Verify {
		o = chooseVerifier(o, root, worker)
		if _, err := checkVerifier(env.models(o), o); err != nil {
			return err
		}
	}
	return checkDecided(o)
}

// judges is what the model that reads can judge; nil: anything.
func judges(models *llm.Opener, o Options) func(path string) bool {
	open := func() (llm.Handle, error) { return models.Worker("", nil) }
	if o.Strategy == StrategySingle {
		open = func() (llm.Handle, error) { return models.Root(nil) }
	}
	h, err := open()
	if err != nil {
		return nil // it was opened before: a run without its model says so itself
	}
	return h.Judges
}

func unpriced(model string) error {
	return hint.Wrap(fmt.Errorf("the price of %s is not known, so a budget cannot be kept", model),
		fmt.Sprintf("set it in deeprepo.toml: [model.%q] input = ..., output = ... (USD per million tokens), or run without --budget", model))
}

// prices lists what the run's models cost, for run.json.
func prices(handles ...llm.Handle) map[string]*llm.Price {
	m := map[string]*llm.Price{}
	for _, h := range handles {
		m[h.Name] = h.Price
	}
	return m
}

// sayPrices says where a model costs something else than when the run began: what is called from now on costs that.
func sayPrices(m Manifest, say func(string), handles ...llm.Handle) {
	for i, h := range handles {
		old := m.Prices[h.Name]
		if old == nil || h.Price == nil || old.Same(*h.Price) || i > 0 && h.Name == handles[0].Name {
			continue
		}
		say(fmt.Sprintf("the price of %s has changed since the run began: input %s, was %s; output %s, was %s, USD per million tokens", h.Name,
			h.Price.Input.Decimal(), old.Input.Decimal(), h.Price.Output.Decimal(), old.Output.Decimal()))
	}
}

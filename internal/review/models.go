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

// check looks at both models of a run.
func (e Env) check(o Options) (root, worker llm.Handle, err error) {
	if root, err = e.look(o.Root, o.Budget != nil); err == nil {
		worker, err = e.look(o.Worker, o.Budget != nil)
	}
	return root, worker, err
}

// look says what a model is, and refuses one that cannot be asked, or not with a cap because its price is not known. Where
// another machine asks it no key is needed here, and who has the key knows the price.
func (e Env) look(name string, capped bool) (llm.Handle, error) {
	open := e.Registry.Open
	if e.Elsewhere != nil {
		open = e.Registry.Known
	}
	h, err := open(name)
	if err == nil && capped && h.Price == nil && h.Model != nil {
		err = unpriced(h.Name)
	}
	return h, err
}

// Check refuses what no review with these options could begin with, whatever the codebase: models that are not there or have
// no price for the cap, a strategy, a suppress file or a baseline report that is none.
func Check(o Options, env Env) error {
	env = env.withDefaults()
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	root, worker, err := env.check(o)
	if err != nil {
		return err
	}
	if o.Verify {
		if _, err := env.look(chooseVerifier(o, root, worker).Verifier, o.Budget != nil); err != nil {
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

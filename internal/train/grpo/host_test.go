package grpo

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"go.uber.org/goleak"
)

// adapters are works of one base and so many adapters.
func (m *machines) adapters(n int) []Work {
	m.t.Helper()
	policy := tiny(m.t)
	base, err := checkpoint.PackModel(policy.Model, policy.Tokenizer)
	if err != nil {
		m.t.Fatal(err)
	}
	w := Work{Environment: "letters", Identity: "letters", Policy: []uint64{5}, Temperature: 1, MaxCell: 8, Arithmetic: nano.Arithmetic()}
	w.Weights.Base, _ = m.keep(m.t.Context(), base)
	var works []Work
	for i := range n {
		a := transformer.NewAdapter(policy.Model.Config, 2, 4, uint64(i))
		a.Params()[1].Data[0] = float32(i) + 1
		adapter, err := checkpoint.PackAdapter(a, policy.Model)
		if err != nil {
			m.t.Fatal(err)
		}
		w.Weights.Adapter, _ = m.keep(m.t.Context(), adapter)
		works = append(works, w)
	}
	return works
}

// TestHostHoldsTwo has a host close the policy before the last as soon as nobody uses it.
func TestHostHoldsTwo(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	m := newMachines(t, func() env.Environment { return &letters{} })
	h := m.hosts[0]
	works := m.adapters(4)
	ask := func(p *hosted) error {
		request := llm.Request{Turn: true, Messages: []llm.Message{{Role: llm.RoleUser, Content: "x"}}}
		_, err := p.sampler.Open(nano.Conversation{}).Model.Complete(t.Context(), request)
		return err
	}
	first, err := h.enter(t.Context(), works[0])
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.enter(t.Context(), works[0]); err != nil || again != first {
		t.Fatal("a second sampler of the same weights", err)
	}
	h.leave(first)
	other := works[0]
	other.MaxCell++
	for _, w := range []Work{other, works[1], works[2], works[3], works[3]} {
		p, err := h.enter(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		if err := ask(first); err != nil {
			t.Fatalf("closed while it is used: %v", err)
		}
		if p == first {
			t.Error("works with longer cells share a sampler")
		}
		h.leave(p)
	}
	if len(h.policies) != mostPolicies || m.fetched[works[0].Weights.Base] != 1 || m.fetched[works[3].Weights.Adapter] != 1 {
		t.Errorf("%d policies, fetched: %v", len(h.policies), m.fetched)
	}
	h.leave(first)
	if err := ask(first); err == nil {
		t.Error("nobody uses it any more, and it is still open")
	}
	if err := ask(h.policies[1]); err != nil {
		t.Error(err)
	}
	h.Close()
	if _, err := Perform(t.Context(), works[3], h); err == nil || !strings.Contains(err.Error(), "no longer performs") {
		t.Errorf("after its end: %v", err)
	}
}

// TestMachineCannot has works that a machine cannot play be errors, and nothing be remembered of them.
func TestMachineCannot(t *testing.T) {
	m := newMachines(t, func() env.Environment { return &letters{} })
	good := m.adapters(1)[0]
	junk, _ := m.keep(t.Context(), []byte("PK"))
	for name, c := range map[string]struct {
		change func(*Work)
		want   string
	}{
		"arithmetic":  {func(w *Work) { w.Arithmetic = "soft" }, "other last places"},
		"environment": {func(w *Work) { w.Environment = "numbers" }, "no environment numbers"},
		"rules":       {func(w *Work) { w.Identity = "letters/2" }, "the environment here is letters, the training's letters/2"},
		"no base":     {func(w *Work) { w.Weights.Base = "gone" }, "weights: no such content"},
		"base":        {func(w *Work) { w.Weights.Base = junk }, "no packed model"},
		"no adapter":  {func(w *Work) { w.Weights.Adapter = "gone" }, "weights: no such content"},
		"adapter":     {func(w *Work) { w.Weights.Adapter = w.Weights.Base }, "adapter_config.json"},
		"rollouts":    {func(w *Work) { w.Policy = nil }, "0 rollouts"},
		"temperature": {func(w *Work) { w.Temperature = -1 }, "temperature"},
		"task":        {func(w *Work) { w.Task = -1 }, "negative"},
	} {
		w := good
		c.change(&w)
		if _, err := Perform(t.Context(), w, m.hosts[0]); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p, err := Perform(t.Context(), good, m.hosts[0]); err != nil || len(p.Rollouts) != 1 {
		t.Errorf("what it can: %+v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Perform(ctx, good, m.hosts[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

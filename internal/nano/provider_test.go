package nano_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"go.uber.org/goleak"
)

// store writes a policy as a run of training leaves it: a model, and an adapter that changes what it says.
func store(t testing.TB, dir string, adapter bool) {
	t.Helper()
	p := tiny(t, 256)
	if err := checkpoint.WriteModel(filepath.Join(dir, "base"), p.Model, p.Tokenizer, nil); err != nil {
		t.Fatal(err)
	}
	if !adapter {
		return
	}
	a := transformer.NewAdapter(p.Model.Config, 4, 8, 3)
	for _, w := range a.Params() {
		for i := range w.Data {
			w.Data[i] += 0.1 * float32(i%7-3)
		}
	}
	if err := checkpoint.WriteAdapter(filepath.Join(dir, "adapter"), a, p.Model, "../base"); err != nil {
		t.Fatal(err)
	}
}

// says gives the first cell of a model.
func says(t testing.TB, h llm.Handle, seed *int64) string {
	t.Helper()
	r, err := h.Model.Complete(context.Background(), llm.Request{Seed: seed, MaxTokens: 20, Tools: tool, Turn: true,
		Messages: []llm.Message{{Role: llm.RoleUser, Content: opening}}})
	if err != nil {
		t.Fatal(err)
	}
	return r.ToolCalls[0].Arguments
}

func TestProvider(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dir := t.TempDir()
	run, plain := filepath.Join(dir, "run"), filepath.Join(dir, "plain")
	store(t, run, true)
	store(t, plain, false)
	provider := nano.NewProvider(nano.ProviderConfig{Embedded: os.DirFS(run), Sampler: nano.SamplerConfig{Cores: 2}})
	registry := llm.NewRegistry(nil)
	registry.RegisterProvider("nano", provider)
	open := func(name string) llm.Handle {
		h, err := registry.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if h.Name != name || !h.Local || !h.Tools || h.Price == nil || !h.Price.Free() {
			t.Errorf("%s: %+v", name, h)
		}
		return h
	}
	trained := says(t, open("nano/orchestrator"), nil)
	for _, name := range []string{"nano/" + run, "nano/" + plain + ":" + filepath.Join(run, "adapter"),
		"nano/" + filepath.Join(plain, "base") + ":" + filepath.Join(run, "adapter")} {
		if got := says(t, open(name), nil); got != trained {
			t.Errorf("%s says %s, the embedded one %s", name, got, trained)
		}
	}
	untrained := says(t, open("nano/"+plain), nil)
	if untrained == trained {
		t.Error("the adapter changes nothing")
	}
	if got := says(t, open("nano/"+filepath.Join(run, "base")), nil); got != untrained {
		t.Error("a model directory takes an adapter that nobody named")
	}
	// Nothing is remembered, and the seed decides.
	one, two := int64(1), int64(2)
	if a, b := says(t, open("nano/"+run), &one), says(t, open("nano/"+run), &one); a != b || a == says(t, open("nano/"+run), &two) {
		t.Error("the seed does not decide")
	}
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if got := says(t, open("nano/"+run), &one); got == trained {
				t.Error("the seed of the request is not heard")
			}
		})
	}
	all.Wait()
	if s := provider.Status(context.Background()); !s.Reachable || !s.Local || len(s.Models) != 1 || s.Models[0].Name != "nano/orchestrator" {
		t.Errorf("status %+v", s)
	}
	provider.Close()
	if _, err := registry.Open("nano/" + run); err == nil {
		t.Error("a closed provider opens a policy")
	}
}

// TestProviderTemperature has a policy that is opened by name be the one that trainings measure.
func TestProviderTemperature(t *testing.T) {
	dir := t.TempDir()
	store(t, dir, false)
	p := nano.NewProvider(nano.ProviderConfig{Sampler: nano.SamplerConfig{Cores: 1}})
	defer p.Close()
	h, err := p.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(temperature *float64) string {
		t.Helper()
		out, err := h.Model.Complete(t.Context(), llm.Request{MaxTokens: 20, Tools: tool, Temperature: temperature, Turn: true,
			Messages: []llm.Message{{Role: llm.RoleUser, Content: opening}}})
		if err != nil {
			t.Fatal(err)
		}
		return out.ToolCalls[0].Arguments
	}
	measured, hot := 0.7, 1.0
	if got := ask(nil); got != ask(&measured) || got == ask(&hot) {
		t.Errorf("another temperature than that of the tables: %s", got)
	}
}

func TestProviderErrors(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	store(t, run, true)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	foreign := filepath.Join(dir, "foreign")
	write(filepath.Join(foreign, "config.json"), `{"model_type":"gpt2"}`)
	torn := filepath.Join(dir, "torn")
	if err := os.CopyFS(torn, os.DirFS(filepath.Join(run, "base"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(torn, "model.safetensors"), 5000); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "empty", "x"), "")
	write(filepath.Join(dir, "files", "torn.gguf"), "GGUF\x03\x00\x00\x00")
	write(filepath.Join(dir, "files", "other.gguf"), "a file beside it")
	provider := nano.NewProvider(nano.ProviderConfig{Embedded: fstest.MapFS{}})
	defer provider.Close()
	for name, want := range map[string]struct{ message, hint string }{
		"orchestrator":              {"no policy is embedded", "deeprepo train grpo"},
		filepath.Join(dir, "none"):  {"there is no directory", "deeprepo train grpo"},
		filepath.Join(dir, "empty"): {"holds no model", "config.json"},
		"":                          {"there is no directory", ""},

		filepath.Join(dir, "files", "none.gguf"): {"there is no file", "deeprepo train grpo"},
		filepath.Join(dir, "files", "torn.gguf"): {"torn.gguf: cut short", "a GGUF file"},
		filepath.Join(dir, "files"):              {"holds no model", "one GGUF file"},
		foreign:                                  {"", ""},
		torn:                                     {"", ""},
		run + ":" + dir:                          {"there is no adapter in", "adapter_config.json"},
		run + ":" + run + "/missing":             {"there is no adapter in", "adapter_config.json"},
	} {
		_, err := provider.Open(name)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.KindUnknownModel || !strings.Contains(e.Message, want.message) ||
			!strings.Contains(e.Hint(), want.hint) || e.Hint() == "" {
			t.Errorf("%q: %v (hint %q), want %q (hint %q)", name, err, e.Hint(), want.message, want.hint)
		}
	}
	if s := provider.Status(context.Background()); s.Reachable || !strings.Contains(s.Problem, "no policy is embedded") {
		t.Errorf("status %+v", s)
	}
	// What was not there is looked for again.
	late := filepath.Join(dir, "late")
	if _, err := provider.Open(late); err == nil {
		t.Fatal("nothing is there yet")
	}
	store(t, late, false)
	if _, err := provider.Open(late); err != nil {
		t.Error(err)
	}
}

// TestEmbedded plays what this build carries on held-out tasks: it must be the trained policy, not any weights. The base
// that it was trained from earns .38 there, the policy .93.
func TestEmbedded(t *testing.T) {
	provider := nano.NewProvider(nano.ProviderConfig{})
	defer provider.Close()
	h, err := provider.Open(nano.Orchestrator)
	if err != nil {
		t.Fatal(err)
	}
	e := orchestration()
	const tasks = 6
	sum := 0.0
	for i := range tasks {
		task, err := e.Task(t.Context(), env.Selection{Split: env.Heldout}, i)
		if err != nil {
			t.Fatal(err)
		}
		sum += roll(t, e, task, h, 0).Reward
	}
	if mean := sum / tasks; mean < 0.75 {
		t.Errorf("reward %.3f on %d held-out tasks", mean, tasks)
	}
}

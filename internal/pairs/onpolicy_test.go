package pairs

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// A model that dies halfway keeps its replies; the same build makes what is missing.
func TestOnPolicy(t *testing.T) {
	set := smallSet(t)
	var dead atomic.Bool
	var calls atomic.Int64
	dead.Store(true)
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		n := calls.Add(1)
		if dead.Load() && n > 3 {
			return llmtest.Reply{Status: http.StatusBadRequest, Text: "gone"}
		}
		code := evensWrong
		switch {
		case strings.Contains(r.Last(), "above") && n%2 == 0:
			code = aboveRight
		case strings.Contains(r.Last(), "above"):
			code = aboveWrong
		case n%2 == 0:
			code = evensRight
		}
		return llmtest.Text("```python\n" + code + "```")
	}})
	env := map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": srv.URL + "/v1"}
	registry, err := provider.NewRegistry(provider.Config{Getenv: func(k string) string { return env[k] }})
	if err != nil {
		t.Fatal(err)
	}
	h, err := registry.Open("openai/any")
	if err != nil {
		t.Fatal(err)
	}
	s, err := generate.New(generate.Config{Model: h, Mode: generate.Chat, N: 4, Temperature: 0.8, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	use := &runfile.PairModel{Name: "openai/any", N: 4}
	o := runfile.PairOptions{Balance: -1, Heldout: -1, Mutants: -1}
	recipe, err := NewRecipe(set, o, nil, nil, use)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out")
	run := func() (*runfile.PairBuild, error) {
		dir, _, err := OpenDir(path, recipe, "test", testTime)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		return Build(t.Context(), BuildConfig{PairOptions: o, Set: set, Box: engine, Extract: extractor(), Parser: runtest.OpenParser, Dir: dir,
			Model: &OnPolicy{Sampler: s, N: 4}})
	}
	if _, err := run(); err == nil {
		t.Fatal("a model that is gone went unnoticed")
	} else if lost := (*LostError)(nil); errors.As(err, &lost) && (lost.Hint() == "" || lost.Missing == 0) {
		t.Error(err)
	}
	dead.Store(false)
	before := calls.Load()
	built, err := run()
	if err != nil {
		t.Fatal(err)
	}
	if again := calls.Load() - before; again != 4*4-3 { // four tasks may be used; three samples were there
		t.Errorf("%d samples were asked for", again)
	}
	if built.Train == 0 || built.Reverified.OK != built.Train || built.Sources[0].Source == "" {
		t.Errorf("%+v", built)
	}
}

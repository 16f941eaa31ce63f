package train

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

func small() transformer.Config {
	return transformer.Config{Vocab: 20, Dim: 8, Layers: 1, Heads: 1, Hidden: 8, Context: 16}
}

type progress struct {
	Best float64 `json:"best"`
}

func setup() Setup {
	return Setup{Method: "sft", Version: "v1", Options: map[string]int{"steps": 3}, Inputs: []string{"base"},
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func start(t *testing.T, path string, s Setup) *Run {
	t.Helper()
	r, err := Start(path, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	r := start(t, path, setup())
	if r.State() != nil || len(r.Steps()) != 0 || !IsRun(path) || r.Manifest.ID != "run" {
		t.Errorf("a new run has %+v, %+v", r.State(), r.Steps())
	}
	model := transformer.New(small(), 1)
	optimizer := optim.New(model.Params(), optim.AdamW{})
	g := transformer.NewGrads(model.Params())
	for step := 1; step <= 4; step++ {
		g.Data[0][step] = 1
		optimizer.Step(g, 0.1)
		if err := r.Record(runfile.TrainingStep{Step: step, Loss: float64(step)}); err != nil {
			t.Fatal(err)
		}
		if step != 3 {
			continue
		}
		s, err := Snapshot(step, model.Params(), optimizer, progress{0.5})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Save(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Record(runfile.TrainingStep{Step: 4}); err == nil {
		t.Error("a step is recorded twice")
	}
	if _, err := Start(path, setup()); err == nil || !strings.Contains(err.Error(), "another deeprepo") {
		t.Errorf("two at once: %v", err)
	}
	r.Close()

	r = start(t, path, setup())
	if r.State() == nil || r.State().Step != 3 || len(r.Steps()) != 3 {
		t.Fatalf("it goes on from %+v with %d steps", r.State(), len(r.Steps()))
	}
	if data, err := os.ReadFile(filepath.Join(path, MetricsName)); err != nil || strings.Count(string(data), "\n") != 3 {
		t.Errorf("the step behind the checkpoint is still in the metrics: %s, %v", data, err)
	}
	again := transformer.New(small(), 2)
	optimizer2 := optim.New(again.Params(), optim.AdamW{})
	var p progress
	if err := r.State().Restore(again.Params(), optimizer2, &p); err != nil || p.Best != 0.5 {
		t.Fatalf("progress %v, %v", p, err)
	}
	optimizer2.Step(g, 0.1) // the fourth step again
	if diff := cmp.Diff(Tensors(model.Params()), Tensors(again.Params())); diff != "" {
		t.Error("a step after the checkpoint gives other weights than without it")
	}
	if err := r.Record(runfile.TrainingStep{Step: 4, Loss: 4.5}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(path, MetricsName))
	if err != nil || strings.Count(string(data), "\n") != 4 || !strings.Contains(string(data), `{"step":4,"loss":4.5,`) {
		t.Errorf("the metrics are %s, %v", data, err)
	}
}

func TestRunRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	start(t, path, setup()).Close()
	change := func(f func(*Setup)) Setup {
		s := setup()
		f(&s)
		return s
	}
	other := filepath.Join(dir, "eval")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(other, ManifestName), `{"schema":1,"command":"eval"}`)
	mine := filepath.Join(dir, "mine")
	if err := os.MkdirAll(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(mine, "thesis.txt"), "x")
	broken := filepath.Join(dir, "broken")
	start(t, broken, setup()).Close()
	write(filepath.Join(broken, CheckpointName), "rubbish")
	damaged := filepath.Join(dir, "damaged")
	r := start(t, damaged, setup())
	if err := r.Save(State{Step: 2}); err != nil {
		t.Fatal(err)
	}
	r.Close()
	write(filepath.Join(damaged, MetricsName), "{\"step\":1}\nrubbish\n{\"step\":2}\n")
	tests := []struct {
		name, path string
		setup      Setup
		want       string
	}{
		{"other options", path, change(func(s *Setup) { s.Options = 1 }), "other options or inputs"},
		{"other inputs", path, change(func(s *Setup) { s.Inputs = []string{"bas", "e"} }), "other options or inputs"},
		{"another method", path, change(func(s *Setup) { s.Method = "dpo" }), "a training by sft, not by dpo"},
		{"another kind of run", other, setup(), "already holds another run"},
		{"a directory in use", mine, setup(), "not empty"},
		{"a broken checkpoint", broken, setup(), CheckpointName},
		{"damaged metrics", damaged, setup(), MetricsName + ", line 2"},
		{"options that are no JSON", filepath.Join(dir, "new"), change(func(s *Setup) { s.Options = func() {} }), "write the options"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Start(tt.path, tt.setup)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("the error is %v, and should say %q", err, tt.want)
			}
			if !strings.HasPrefix(tt.name, "options") && hint.Of(err) == "" {
				t.Errorf("%v has no hint", err)
			}
		})
	}
}

func TestRestoreNamesTheTensor(t *testing.T) {
	model := transformer.New(small(), 1)
	params := model.Params()
	s, err := Snapshot(1, params, optim.New(params, optim.AdamW{}), progress{})
	if err != nil {
		t.Fatal(err)
	}
	wide := small()
	wide.Hidden = 16
	deep := small()
	deep.Layers = 2
	for _, tt := range []struct {
		config transformer.Config
		want   string
	}{{wide, "model.layers.0.mlp.gate_proj.weight has the shape [8 8], not [16 8]"},
		{deep, "lacks the tensor model.layers.1.input_layernorm.weight"}} {
		p := transformer.New(tt.config, 1).Params()
		if err := s.Restore(p, optim.New(p, optim.AdamW{}), &progress{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("the error is %v, and should say %q", err, tt.want)
		}
	}
	short := s
	short.Tensors = s.Tensors[:len(s.Tensors)-1]
	if err := short.Restore(params, optim.New(params, optim.AdamW{}), &progress{}); err == nil ||
		!strings.Contains(err.Error(), "the optimizer's state") {
		t.Errorf("without a moment: %v", err)
	}
	s.Progress = json.RawMessage("[]")
	if err := s.Restore(params, optim.New(params, optim.AdamW{}), &progress{}); err == nil || !strings.Contains(err.Error(), "the progress") {
		t.Errorf("another progress: %v", err)
	}
}

func TestFresh(t *testing.T) {
	t.Chdir(t.TempDir())
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first, err := Fresh("grpo", at)
	if err != nil || first != filepath.Join("runs", "train-grpo-20260102-030405") {
		t.Errorf("%s, %v", first, err)
	}
	start(t, first, setup())
	if second, err := Fresh("grpo", at); err != nil || second == first {
		t.Errorf("%s, %v", second, err)
	}
}

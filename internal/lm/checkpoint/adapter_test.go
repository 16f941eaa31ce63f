package checkpoint

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

func TestAdapterRoundTrip(t *testing.T) {
	m, _ := tiny(t)
	a := tinyAdapter(m)
	dir := t.TempDir()
	if err := WriteAdapter(dir, a, m, "../base"); err != nil {
		t.Fatal(err)
	}
	got, err := ReadAdapter(os.DirFS(dir), m)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rank != 3 || got.Alpha != 6.5 {
		t.Errorf("rank %d, alpha %g", got.Rank, got.Alpha)
	}
	if diff := cmp.Diff(a.Params(), got.Params()); diff != "" {
		t.Error(diff)
	}
	var c struct {
		Base string `json:"base_model_name_or_path"`
	}
	if err := json.Unmarshal(files(t, dir)[adapterConfigName].Data, &c); err != nil || c.Base != "../base" {
		t.Errorf("base %q, %v", c.Base, err)
	}
}

func TestReadAdapterRefuses(t *testing.T) {
	m, _ := tiny(t)
	config := func(key string, value any) func(*testing.T, fstest.MapFS) { return set(adapterConfigName, key, value) }
	for _, c := range []bad{
		{"no config", func(_ *testing.T, f fstest.MapFS) { delete(f, adapterConfigName) }, "adapter_config.json: file does not exist"},
		{"no weights", func(_ *testing.T, f fstest.MapFS) { delete(f, adapterWeightsName) }, "adapter_model.safetensors: file does not exist"},
		{"no JSON", func(_ *testing.T, f fstest.MapFS) { f[adapterConfigName].Data = nil }, "adapter_config.json: unexpected end"},
		{"another kind", config("peft_type", "IA3"), `the adapter is of type "IA3", not LORA`},
		{"no rank", config("r", 0), "rank 0 is not within 1 and"},
		{"a giant rank", config("r", 1<<40), "is not within 1 and"},
		{"no alpha", config("lora_alpha", 0), "alpha 0 is not positive"},
		{"fewer maps", config("target_modules", []string{"q_proj", "v_proj"}), "seven linear maps"},
		{"a pattern of maps", config("target_modules", "all-linear"), "seven linear maps"},
		{"biases", config("bias", "all"), "biases"},
		{"another scale", config("use_rslora", true), `"use_rslora" asks for a variant`},
		{"other ranks", config("rank_pattern", map[string]any{"q_proj": 1}), `"rank_pattern" asks for a variant`},
		{"some layers", config("layers_to_transform", []int{0}), `"layers_to_transform" asks for a variant`},
		{"a variant to come", config("use_xlora", map[string]any{"a": 1}), `"use_xlora" asks for a variant`},
		{"weights that change the base", config("init_lora_weights", "pissa"), `"init_lora_weights" asks for a variant`},
		{"another rank than the weights", config("r", 4), `lora_A.weight" has shape [3 16], the model wants [4 16]`},
		{"a missing tensor", tensors(adapterWeightsName, func(x []Tensor, _ map[string]string) []Tensor { return x[:len(x)-1] }), "is missing"},
		{"magnitudes", tensors(adapterWeightsName, func(x []Tensor, _ map[string]string) []Tensor {
			return append(x, Tensor{Name: "base_model.model.model.layers.0.self_attn.q_proj.lora_magnitude_vector", Shape: []int{1},
				Data: []float32{1}})
		}), "lora_magnitude_vector\" belongs to no such model"},
		{"another base", tensors(adapterWeightsName, func(x []Tensor, meta map[string]string) []Tensor {
			meta[baseKey] = strings.Repeat("0", 64)
			return x
		}), "the adapter was trained on another model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := WriteAdapter(dir, tinyAdapter(m), m, ""); err != nil {
				t.Fatal(err)
			}
			f := files(t, dir)
			c.do(t, f)
			_, err := ReadAdapter(f, m)
			c.check(t, err)
		})
	}
}

func TestAdapterKnowsItsBase(t *testing.T) {
	m, _ := tiny(t)
	dir := t.TempDir()
	if err := WriteAdapter(dir, tinyAdapter(m), m, ""); err != nil {
		t.Fatal(err)
	}
	other := m.Clone()
	other.Params()[1].Data[0] = math.Nextafter32(other.Params()[1].Data[0], 9)
	_, err := ReadAdapter(os.DirFS(dir), other)
	bad{want: "the adapter was trained on another model"}.check(t, err)
	f := files(t, dir)
	tensors(adapterWeightsName, func(x []Tensor, meta map[string]string) []Tensor {
		clear(meta) // as PEFT saves it
		return x
	})(t, f)
	if _, err := ReadAdapter(f, other); err != nil {
		t.Errorf("an adapter without a fingerprint: %v", err)
	}
	wide := transformer.New(transformer.Config{Vocab: 268, Dim: 32, Layers: 2, Heads: 2, Hidden: 24, Context: 32}, 1)
	_, err = ReadAdapter(f, wide)
	bad{want: `lora_A.weight" has shape [3 16], the model wants [3 32]`}.check(t, err)
	if err := WriteAdapter(t.TempDir(), tinyAdapter(m), wide, ""); err == nil ||
		!strings.Contains(err.Error(), "another shape than its base") {
		t.Errorf("error %v", err)
	}
}

package checkpoint

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// tiny is a model of a few thousand weights and its tokenizer.
func tiny(t testing.TB) (*transformer.Model, *bpe.Tokenizer) {
	t.Helper()
	tok, err := bpe.Train([]string{strings.Repeat("for p in files:\n    print(p)\n", 3)}, 268, []string{viewToken, cellToken, endToken})
	if err != nil {
		t.Fatal(err)
	}
	return transformer.New(transformer.Config{Vocab: tok.Vocab(), Dim: 16, Layers: 2, Heads: 2, Hidden: 24, Context: 32, RopeBase: 777}, 1),
		tok
}

func tinyAdapter(m *transformer.Model) *transformer.Adapter {
	a := transformer.NewAdapter(m.Config, 3, 6.5, 2)
	for _, p := range a.Params() {
		for i := range p.Data {
			p.Data[i] += float32(i) / 1000
		}
	}
	return a
}

// files are a directory's, to be changed and read.
func files(t testing.TB, dir string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(dir, n.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[n.Name()] = &fstest.MapFile{Data: data}
	}
	return out
}

func modelFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	m, tok := tiny(t)
	dir := t.TempDir()
	if err := WriteModel(dir, m, tok, map[string]string{"step": "12"}); err != nil {
		t.Fatal(err)
	}
	return files(t, dir)
}

func TestModelRoundTrip(t *testing.T) {
	m, tok := tiny(t)
	dir := filepath.Join(t.TempDir(), "a", "new")
	if err := WriteModel(dir, m, tok, map[string]string{"step": "12"}); err != nil {
		t.Fatal(err)
	}
	got, gotTok, meta, err := ReadModel(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Params(), got.Params()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(m.Config, got.Config); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"step": "12"}, meta); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tok.Encode("for p in files"), gotTok.Encode("for p in files")); diff != "" {
		t.Error(diff)
	}
	if Fingerprint(m) != Fingerprint(got) {
		t.Error("the fingerprint changed")
	}
	want := []string{configName, generationName, weightsName, tokenizerName, tokenizerConfigName}
	var names []string
	for name, f := range files(t, dir) {
		names = append(names, name)
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o644 || len(f.Data) == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("the directory holds %v", names)
	}
}

func TestModelInSmallerTypes(t *testing.T) {
	m, tok := tiny(t)
	for _, as := range []DType{F16, BF16} {
		dir := t.TempDir()
		if err := WriteModelAs(dir, m, tok, nil, as); err != nil {
			t.Fatal(err)
		}
		got, _, _, err := ReadModel(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, p := range got.Params() {
			for j, f := range p.Data {
				worst = max(worst, math.Abs(float64(f-m.Params()[i].Data[j])))
			}
		}
		if bound := map[DType]float64{F16: 1e-3, BF16: 8e-3}[as]; worst == 0 || worst > bound {
			t.Errorf("%s: weights are off by up to %g", as, worst)
		}
		var c struct {
			Type string `json:"torch_dtype"`
		}
		if err := json.Unmarshal(files(t, dir)[configName].Data, &c); err != nil ||
			c.Type != map[DType]string{F16: "float16", BF16: "bfloat16"}[as] {
			t.Errorf("%s: torch_dtype %q, %v", as, c.Type, err)
		}
		second := t.TempDir() // rounding a second time changes nothing
		if err := WriteModelAs(second, got, tok, nil, as); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(files(t, dir), files(t, second)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWriteModelRefuses(t *testing.T) {
	m, tok := tiny(t)
	other := transformer.New(transformer.Config{Vocab: 999, Dim: 16, Layers: 1, Heads: 2, Hidden: 24, Context: 32}, 1)
	diverged := m.Clone()
	diverged.Params()[3].Data[5] = float32(math.NaN())
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		m    *transformer.Model
		meta map[string]string
		want string
	}{
		{"another vocabulary", other, nil, "the model has a vocabulary of 999 tokens, its tokenizer of 268"},
		{"weights that are no numbers", diverged, nil, `tensor "model.layers.0.self_attn.k_proj.weight" holds NaN`},
		{"metadata with our names", m, map[string]string{"format": "tf"}, `metadata "format" has a meaning of its own`},
	} {
		if err := WriteModel(dir, c.m, tok, c.meta); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("something was written: %v", left)
	}
}

func edit(name string, change func(map[string]any)) func(t *testing.T, f fstest.MapFS) {
	return func(t *testing.T, f fstest.MapFS) {
		t.Helper()
		var all map[string]any
		if err := json.Unmarshal(f[name].Data, &all); err != nil {
			t.Fatal(err)
		}
		change(all)
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		f[name] = &fstest.MapFile{Data: data}
	}
}

func set(name, key string, value any) func(*testing.T, fstest.MapFS) {
	return edit(name, func(all map[string]any) { all[key] = value })
}

// tensors changes the weights of a directory.
func tensors(name string, change func([]Tensor, map[string]string) []Tensor) func(*testing.T, fstest.MapFS) {
	return func(t *testing.T, f fstest.MapFS) {
		t.Helper()
		have, meta, err := readFile(f, name, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f[name] = &fstest.MapFile{Data: written(t, change(have, meta), meta)}
	}
}

type bad struct {
	name string
	do   func(*testing.T, fstest.MapFS)
	want string
}

func (c bad) check(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), c.want) {
		t.Fatalf("error %v, want %q", err, c.want)
	}
	if hint.Of(err) == "" {
		t.Errorf("%v: no hint", err)
	}
}

func TestReadModelRefuses(t *testing.T) {
	config := func(key string, value any) func(*testing.T, fstest.MapFS) { return set(configName, key, value) }
	for _, c := range []bad{
		{"no config", func(_ *testing.T, f fstest.MapFS) { delete(f, configName) }, "config.json: file does not exist"},
		{"no tokenizer", func(_ *testing.T, f fstest.MapFS) { delete(f, tokenizerName) }, "tokenizer.json: file does not exist"},
		{"no weights", func(_ *testing.T, f fstest.MapFS) { delete(f, weightsName) }, "model.safetensors: file does not exist"},
		{"no JSON", func(_ *testing.T, f fstest.MapFS) { f[configName].Data = []byte("{") }, "config.json: unexpected end"},
		{"a pipe", func(_ *testing.T, f fstest.MapFS) { f[configName].Mode = fs.ModeNamedPipe }, "config.json is no regular file"},
		{"a large text", func(_ *testing.T, f fstest.MapFS) { f[configName].Data = make([]byte, maxText+1) }, "config.json is larger than"},
		{"another architecture", config("model_type", "gpt2"), `config.json: the model is of type "gpt2", not llama or qwen2`},
		{"grouped queries that the weights do not have", config("num_key_value_heads", 1), "has shape [16 16], the model wants [8 16]"},
		{"sliding windows", config("use_sliding_window", true), "sliding windows"},
		{"sliding windows, new form", config("layer_types", []string{"full_attention", "sliding_attention"}), "sliding windows"},
		{"biases that the weights do not have", config("model_type", "qwen2"), `q_proj.bias" of shape [16] is missing`},
		{"scaled positions", config("rope_scaling", map[string]any{"rope_type": "yarn", "factor": 4}), "scaled rotary positions"},
		{"scaled positions, new form", config("rope_parameters", map[string]any{"rope_type": "linear", "rope_theta": 7}), "scaled rotary positions"},
		{"gelu", config("hidden_act", "gelu"), "another activation than silu"},
		{"an output matrix", config("tie_word_embeddings", false), `"lm_head.weight" of shape [268 16] is missing`},
		{"biases", config("attention_bias", true), "biases"},
		{"quantized", config("quantization_config", map[string]any{"bits": 4}), "quantized weights"},
		{"heads of another width", config("head_dim", 64), "heads are 64 wide, not the 8"},
		{"no layers", config("num_hidden_layers", 0), "num_hidden_layers is missing or not positive"},
		{"no epsilon", config("rms_norm_eps", nil), "rms_norm_eps is missing"},
		{"a negative width", config("hidden_size", -16), "hidden_size is missing or not positive"},
		{"heads that do not divide", config("num_attention_heads", 3), "does not divide into 3 heads"},
		{"a giant", config("num_hidden_layers", 1<<40), "number of layers"},
		{"more than the weights hold", config("num_hidden_layers", 60), "describes a model of"},
		{"another vocabulary", config("vocab_size", 269), "config.json has a vocabulary of 269 tokens, tokenizer.json of 268"},
		{"a foreign tokenizer", set(tokenizerName, "normalizer", map[string]any{"type": "NFC"}), "tokenizer.json: normalizer and pre_tokenizer are not"},
		{"another run's tokenizer", func(t *testing.T, f fstest.MapFS) {
			tok, err := bpe.Train([]string{strings.Repeat("def f(x):\n  return [x, x + 1]\n", 5)}, 268, []string{viewToken, cellToken, endToken})
			if err != nil {
				t.Fatal(err)
			}
			data, err := tok.JSON()
			if err != nil {
				t.Fatal(err)
			}
			f[tokenizerName].Data = data
		}, "tokenizer.json is not the one that the weights of model.safetensors were trained with"},
		{"weights cut short", func(_ *testing.T, f fstest.MapFS) { f[weightsName].Data = f[weightsName].Data[:20000] }, "model.safetensors: cut short: tensor"},
		{"a missing tensor", tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor { return x[1:] }), `model.safetensors: tensor "model.embed_tokens.weight" of shape [268 16] is missing`},
		{"a tensor too many", tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor {
			return append(x, Tensor{Name: "lm_head.bias", Shape: []int{1}, Data: []float32{0}})
		}), `tensor "lm_head.bias" belongs to no such model`},
		{"another shape of the same size", tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor {
			x[0].Shape = []int{16, 268}
			return x
		}), `tensor "model.embed_tokens.weight" has shape [16 268], the model wants [268 16]`},
		{"a weight that is no number", tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor {
			x[2].Data[0] = float32(math.Inf(-1))
			return x
		}), `holds -Inf`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := modelFiles(t)
			c.do(t, f)
			_, _, _, err := ReadModel(f)
			c.check(t, err)
		})
	}
}

func TestReadModelOfOthers(t *testing.T) {
	m, _ := tiny(t)
	for name, do := range map[string]func(*testing.T, fstest.MapFS){
		"no head counts of their own": edit(configName, func(all map[string]any) {
			delete(all, "num_key_value_heads")
			delete(all, "head_dim")
		}),
		"transformers 5": edit(configName, func(all map[string]any) {
			all["rope_parameters"] = map[string]any{"rope_type": "default", "rope_theta": all["rope_theta"]}
			delete(all, "rope_theta")
			delete(all, "rope_scaling")
		}),
		"no word about the tokenizer": tensors(weightsName, func(x []Tensor, meta map[string]string) []Tensor {
			delete(meta, tokenizerKey)
			return x
		}),
		"tensors in another order": tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor {
			slices.Reverse(x)
			return x
		}),
	} {
		f := modelFiles(t)
		do(t, f)
		got, _, _, err := ReadModel(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(m.Params(), got.Params()) + cmp.Diff(m.Config, got.Config); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

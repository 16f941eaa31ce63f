package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/gguftest"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

func ggufOf(t testing.TB, kind string, edit func(*transformer.Config)) (*transformer.Model, gguftest.File) {
	t.Helper()
	pre := map[string]string{"llama": "smollm", "qwen2": "qwen2"}[kind]
	c := othersConfig(chatty(t, pre))
	c.Bias = kind == "qwen2"
	edit(&c)
	m := stirred(c)
	return m, gguftest.Of(m, kind, chattyVocabulary(pre), "{{ '<|im_start|>' }}")
}

func TestOpenGGUF(t *testing.T) {
	same := func(*transformer.Config) {}
	for name, c := range map[string]struct {
		kind string
		edit func(*transformer.Config)
	}{
		"a Llama":                   {"llama", same},
		"a Qwen2":                   {"qwen2", same},
		"tied":                      {"llama", func(c *transformer.Config) { c.Untied = false }},
		"without shared keys":       {"llama", func(c *transformer.Config) { c.KVHeads = c.Heads }},
		"a float32's small epsilon": {"qwen2", func(c *transformer.Config) { c.NormEps = 1e-5 }},
	} {
		m, g := ggufOf(t, c.kind, c.edit)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "model.gguf"), g.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func() (*Source, error){
			func() (*Source, error) { return OpenGGUF(os.DirFS(dir), "model.gguf") },
			func() (*Source, error) { return Open(os.DirFS(dir)) },
		} {
			s, err := open()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got, err := s.Model()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff(m.Config, got.Config) + cmp.Diff(m.Params(), got.Params()); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if s.Template != "{{ '<|im_start|>' }}" {
				t.Errorf("template %q", s.Template)
			}
			if id, ok := s.Tokenizer.Special(chat.End); id != 2 || !ok || s.Tokenizer.Vocab() != m.Config.Vocab {
				t.Errorf("%s: %s is %d, %d tokens", name, chat.End, id, s.Tokenizer.Vocab())
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestOpenGGUFRefuses(t *testing.T) {
	value := func(key string, v any) func(*gguftest.File) { return func(g *gguftest.File) { g.Values[key] = v } }
	for _, c := range []struct {
		name string
		edit func(*gguftest.File)
		want string
	}{
		{"another architecture", value("general.architecture", "gemma3"), `m.gguf: the model is of type "gemma3", not llama or qwen2`},
		{"no layers", value("llama.block_count", 0), "num_hidden_layers is missing"},
		{"layers that are a text", value("llama.block_count", "two"), "num_hidden_layers is missing"},
		{"more layers than weights", value("llama.block_count", 3), `"model.layers.2.input_layernorm.weight" of shape [24] is missing`},
		{"fewer layers than weights", value("llama.block_count", 1), `"model.layers.1.input_layernorm.weight" belongs to no such model`},
		{"a giant", value("llama.feed_forward_length", 1<<14), "describes a model of"},
		{"heads that do not divide", value("llama.attention.head_count_kv", 4), "cannot share 4 heads"},
		{"heads by layer", value("llama.attention.head_count_kv", []int32{2, 2}), "layers of different heads"},
		{"no epsilon", value("llama.attention.layer_norm_rms_epsilon", "x"), "rms_norm_eps is missing"},
		{"scaled positions", value("llama.rope.scaling.type", "yarn"), "scaled rotary positions"},
		{"scaled positions, old form", value("llama.rope.scale_linear", 4.0), "scaled rotary positions"},
		{"scaled positions by a table", func(g *gguftest.File) { g.Tensors[0].Name = "rope_freqs.weight" }, "scaled rotary positions"},
		{"sliding windows", value("llama.attention.sliding_window", 64), "sliding windows"},
		{"experts", value("llama.expert_count", 8), "experts"},
		{"heads of another width", value("llama.attention.key_length", 8), "key_length is 8, not the 4"},
		{"half of a head turns", value("llama.rope.dimension_count", 2), "dimension_count is 2, not the 4"},
		{"a tensor of another kind of model", func(g *gguftest.File) { g.Tensors[1].Name = "blk.0.attn_q_norm.weight" }, `"blk.0.attn_q_norm.weight" belongs to no`},
		{"no embedding", func(g *gguftest.File) { g.Tensors = g.Tensors[1:] }, "vocab_size is missing"},
		{"another tokenizer", value("tokenizer.ggml.model", "llama"), `the tokenizer is of type "llama", not gpt2`},
		{"other pieces", value("tokenizer.ggml.pre", "llama-bpe"), `in the way of "llama-bpe"`},
		{"a space before texts", value("tokenizer.ggml.add_space_prefix", true), "a space before texts"},
		{"fewer types than tokens", value("tokenizer.ggml.token_type", []int32{1}), "have 1 types"},
		{"more tokens than the model", func(g *gguftest.File) {
			g.Tensors[0].Shape, g.Tensors[0].Data = []int{50, 24}, g.Tensors[0].Data[:1200]
		}, "vocabulary of 50 tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, g := ggufOf(t, "llama", func(*transformer.Config) {})
			c.edit(&g)
			s, err := openGGUF(fstest.MapFS{"m.gguf": {Data: g.Bytes()}}, "m.gguf")
			if err == nil {
				_, err = s.Model()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzOpenGGUF(f *testing.F) {
	_, g := ggufOf(f, "llama", func(c *transformer.Config) { c.Layers = 1 })
	f.Add(g.Bytes())
	_, g = ggufOf(f, "qwen2", func(c *transformer.Config) { c.Layers = 1 })
	f.Add(g.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := openGGUF(fstest.MapFS{"m.gguf": {Data: data}}, "m.gguf")
		if err != nil {
			return
		}
		s.Tokenizer.Encode("the end <|im_end|>")
		if s.Config.Context <= 1<<10 { // its tables of positions take memory as the configuration says
			_, _ = s.Model()
		}
	})
}

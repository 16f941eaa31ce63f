package checkpoint

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// ggufFile is a file to be written: values by their keys, and tensors of F32.
type ggufFile struct {
	values  map[string]any
	tensors []Tensor
}

func (g ggufFile) bytes() []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	text := func(s string) {
		put(uint64(len(s)))
		b.WriteString(s)
	}
	b.WriteString("GGUF")
	put(uint32(3))
	put(uint64(len(g.tensors)))
	put(uint64(len(g.values)))
	for key, v := range g.values {
		text(key)
		switch v := v.(type) {
		case int:
			put(uint32(4))
			put(uint32(v))
		case float64:
			put(uint32(6))
			put(float32(v))
		case bool:
			put(uint32(7))
			put(v)
		case string:
			put(uint32(8))
			text(v)
		case []string:
			put([]uint32{9, 8})
			put(uint64(len(v)))
			for _, s := range v {
				text(s)
			}
		case []int32:
			put([]uint32{9, 5})
			put(uint64(len(v)))
			put(v)
		}
	}
	at := 0
	for _, t := range g.tensors {
		text(t.Name)
		put(uint32(len(t.Shape)))
		for _, d := range slices.Backward(t.Shape) {
			put(uint64(d))
		}
		put(uint32(0))
		put(uint64(at))
		at += (4*len(t.Data) + 31) / 32 * 32
	}
	pad := func() { b.Write(make([]byte, (32-b.Len()%32)%32)) }
	pad()
	for _, t := range g.tensors {
		put(t.Data)
		pad()
	}
	return b.Bytes()
}

// toGGUF is a model as llama.cpp's converter writes it.
func toGGUF(m *transformer.Model, kind, pre string) ggufFile {
	c := m.Config
	v := chattyVocabulary(pre)
	types := make([]int32, len(v.Tokens))
	for i, special := range v.Special {
		types[i] = map[bool]int32{false: 1, true: 3}[special]
	}
	for i := len(v.Tokens); i < c.Vocab; i++ {
		v.Tokens, types = append(v.Tokens, "[PAD"+string(rune('0'+i%10))+string(rune('0'+i/10))+"]"), append(types, 5)
	}
	g := ggufFile{values: map[string]any{
		"general.architecture": kind, kind + ".block_count": c.Layers, kind + ".context_length": c.Context, kind + ".embedding_length": c.Dim,
		kind + ".feed_forward_length": c.Hidden, kind + ".attention.head_count": c.Heads, kind + ".attention.head_count_kv": c.KVHeads,
		kind + ".rope.freq_base": c.RopeBase, kind + ".attention.layer_norm_rms_epsilon": c.NormEps,
		kind + ".rope.dimension_count": c.HeadDim(), "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre,
		"tokenizer.ggml.tokens": v.Tokens, "tokenizer.ggml.token_type": types, "tokenizer.ggml.merges": v.Merges,
		"tokenizer.chat_template": "{{ '<|im_start|>' }}",
	}}
	back := map[string]string{}
	for a, b := range outside {
		back[b] = a
	}
	for a, b := range inside {
		back[b] = a
	}
	for _, p := range m.Params() {
		name, ok := back[p.Name]
		if !ok {
			parts := strings.SplitN(p.Name, ".", 4)
			name = "blk." + parts[2] + "." + back[parts[3]]
		}
		t := Tensor{Name: name, Shape: p.Shape, Data: p.Data}
		heads := 0
		if strings.HasSuffix(p.Name, "q_proj.weight") {
			heads = c.Heads
		} else if strings.HasSuffix(p.Name, "k_proj.weight") {
			heads = c.KVHeads
		}
		if kind == "llama" && heads > 0 {
			t.Data = permuted(p, heads)
		}
		g.tensors = append(g.tensors, t)
	}
	return g
}

// permuted is what convert_hf_to_gguf.py does: reshape(heads, 2, rows/heads/2, columns).swapaxes(1, 2).
func permuted(p transformer.Param, heads int) (out []float32) {
	half, width := p.Shape[0]/heads/2, p.Shape[1]
	for h := range heads {
		for i := range half {
			for part := range 2 {
				row := (h*2+part)*half + i
				out = append(out, p.Data[row*width:(row+1)*width]...)
			}
		}
	}
	return out
}

func ggufOf(t testing.TB, kind string, edit func(*transformer.Config)) (*transformer.Model, ggufFile) {
	t.Helper()
	pre := map[string]string{"llama": "smollm", "qwen2": "qwen2"}[kind]
	c := othersConfig(chatty(t, pre))
	c.Bias = kind == "qwen2"
	edit(&c)
	m := stirred(c)
	return m, toGGUF(m, kind, pre)
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
		if err := os.WriteFile(filepath.Join(dir, "model.gguf"), g.bytes(), 0o644); err != nil {
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
	value := func(key string, v any) func(*ggufFile) { return func(g *ggufFile) { g.values[key] = v } }
	for _, c := range []struct {
		name string
		edit func(*ggufFile)
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
		{"scaled positions by a table", func(g *ggufFile) { g.tensors[0].Name = "rope_freqs.weight" }, "scaled rotary positions"},
		{"sliding windows", value("llama.attention.sliding_window", 64), "sliding windows"},
		{"experts", value("llama.expert_count", 8), "experts"},
		{"heads of another width", value("llama.attention.key_length", 8), "key_length is 8, not the 4"},
		{"half of a head turns", value("llama.rope.dimension_count", 2), "dimension_count is 2, not the 4"},
		{"a tensor of another kind of model", func(g *ggufFile) { g.tensors[1].Name = "blk.0.attn_q_norm.weight" }, `"blk.0.attn_q_norm.weight" belongs to no`},
		{"no embedding", func(g *ggufFile) { g.tensors = g.tensors[1:] }, "vocab_size is missing"},
		{"another tokenizer", value("tokenizer.ggml.model", "llama"), `the tokenizer is of type "llama", not gpt2`},
		{"other pieces", value("tokenizer.ggml.pre", "llama-bpe"), `in the way of "llama-bpe"`},
		{"a space before texts", value("tokenizer.ggml.add_space_prefix", true), "a space before texts"},
		{"fewer types than tokens", value("tokenizer.ggml.token_type", []int32{1}), "have 1 types"},
		{"more tokens than the model", func(g *ggufFile) {
			g.tensors[0].Shape, g.tensors[0].Data = []int{50, 24}, g.tensors[0].Data[:1200]
		}, "vocabulary of 50 tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, g := ggufOf(t, "llama", func(*transformer.Config) {})
			c.edit(&g)
			s, err := openGGUF(fstest.MapFS{"m.gguf": {Data: g.bytes()}}, "m.gguf")
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
	f.Add(g.bytes())
	_, g = ggufOf(f, "qwen2", func(c *transformer.Config) { c.Layers = 1 })
	f.Add(g.bytes())
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

// Package gguftest writes small models as llama.cpp's converter does, for tests of what reads GGUF files.
package gguftest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// File is a file to be written: values by their keys (int, float64, bool, string, []string or []int32), and tensors of F32.
type File struct {
	Values  map[string]any
	Tensors []transformer.Param
}

// Bytes are the file's, in version 3 of the format.
func (f File) Bytes() []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	text := func(s string) {
		put(uint64(len(s)))
		b.WriteString(s)
	}
	b.WriteString("GGUF")
	put(uint32(3))
	put(uint64(len(f.Tensors)))
	put(uint64(len(f.Values)))
	for key, v := range f.Values {
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
	for _, t := range f.Tensors {
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
	for _, t := range f.Tensors {
		put(t.Data)
		pad()
	}
	return b.Bytes()
}

// names are llama.cpp's for tensors, by Hugging Face's: of the whole model, and of a layer.
var names = strings.NewReplacer("model.embed_tokens", "token_embd", "model.norm", "output_norm", "lm_head", "output",
	"model.layers.", "blk.", "input_layernorm", "attn_norm", "post_attention_layernorm", "ffn_norm",
	"self_attn.q_proj", "attn_q", "self_attn.k_proj", "attn_k",
	"self_attn.v_proj", "attn_v", "self_attn.o_proj", "attn_output", "mlp.gate_proj", "ffn_gate", "mlp.up_proj", "ffn_up",
	"mlp.down_proj", "ffn_down")

// Of is a model of a kind, "llama" or "qwen2", with a vocabulary, which is filled up to the model's, and a chat template.
func Of(m *transformer.Model, kind string, v bpe.Vocabulary, template string) File {
	c := m.Config
	tokens, types := slices.Clone(v.Tokens), make([]int32, len(v.Tokens))
	for i, special := range v.Special {
		types[i] = map[bool]int32{false: 1, true: 3}[special]
	}
	for i := len(tokens); i < c.Vocab; i++ {
		tokens, types = append(tokens, "[PAD"+string(rune('0'+i%10))+string(rune('0'+i/10))+"]"), append(types, 5)
	}
	f := File{Values: map[string]any{
		"general.architecture": kind, kind + ".block_count": c.Layers, kind + ".context_length": c.Context,
		kind + ".embedding_length": c.Dim, kind + ".feed_forward_length": c.Hidden, kind + ".attention.head_count": c.Heads,
		kind + ".attention.head_count_kv": c.KVHeads,
		kind + ".rope.freq_base":          c.RopeBase, kind + ".attention.layer_norm_rms_epsilon": c.NormEps,
		kind + ".rope.dimension_count": c.HeadDim(), "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": v.Pre,
		"tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": types, "tokenizer.ggml.merges": v.Merges,
		"tokenizer.chat_template": template,
	}}
	for _, p := range m.Params() {
		heads := 0
		if strings.HasSuffix(p.Name, "q_proj.weight") {
			heads = c.Heads
		} else if strings.HasSuffix(p.Name, "k_proj.weight") {
			heads = c.KVHeads
		}
		if kind == "llama" && heads > 0 {
			p.Data = permuted(p, heads)
		}
		p.Name = names.Replace(p.Name)
		f.Tensors = append(f.Tensors, p)
	}
	return f
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

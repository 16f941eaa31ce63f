package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/gguf"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// openGGUF opens a file of llama.cpp's.
func openGGUF(fsys fs.FS, name string) (_ *Source, err error) {
	f, r, size, err := openAt(fsys, name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
		}
	}()
	file, err := gguf.Open(r, size)
	if err != nil {
		return nil, err
	}
	s := &Source{Template: file.Text("tokenizer.chat_template"), where: name, close: []fs.File{f}}
	w := &llamaCpp{file: file, at: make(map[string]int, len(file.Tensors))}
	for i, t := range file.Tensors {
		name, err := huggingName(t.Name)
		if err != nil {
			return nil, err
		}
		w.at[name] = i
	}
	s.weights = w
	if s.Config, err = w.config(); err != nil {
		return nil, err
	}
	if s.Tokenizer, err = vocabulary(file); err != nil {
		return nil, err
	}
	if err := s.checkVocabulary(); err != nil {
		return nil, err
	}
	return s, nil
}

// llamaCpp are the weights of a GGUF file.
type llamaCpp struct {
	file   *gguf.File
	at     map[string]int // where in the file's tensors each of ours is
	turned map[string]int // matrices whose rows are in llama.cpp's order, and how many heads they are of
}

// config reads a file's configuration and refuses what transformer cannot compute exactly.
func (w *llamaCpp) config() (transformer.Config, error) {
	f := w.file
	kind := f.Text("general.architecture")
	if kind != "llama" && kind != "qwen2" {
		return transformer.Config{}, fmt.Errorf("the model is of type %q, not llama or qwen2", kind)
	}
	whole := func(key string) int {
		n, _ := f.Int(kind + "." + key)
		if n < 0 || n > math.MaxInt32 {
			return -1
		}
		return int(n)
	}
	float := func(key string) float64 {
		v, _ := f.Float(kind + "." + key)
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64) // 1e-5 is there as a float32
		return v
	}
	_, untied := w.at["lm_head.weight"]
	c := transformer.Config{
		Dim: whole("embedding_length"), Layers: whole("block_count"), Heads: whole("attention.head_count"),
		KVHeads: whole("attention.head_count_kv"), Hidden: whole("feed_forward_length"), Context: whole("context_length"),
		RopeBase: cmp.Or(float("rope.freq_base"), 1e4), NormEps: float("attention.layer_norm_rms_epsilon"),
		Bias: kind == "qwen2", Untied: untied,
	}
	if i, ok := w.at["model.embed_tokens.weight"]; ok {
		c.Vocab = f.Tensors[i].Shape[0]
	}
	if err := complete(c); err != nil {
		return transformer.Config{}, err
	}
	scaling := f.Text(kind + ".rope.scaling.type")
	for _, part := range []struct {
		ok   bool
		what string
	}{
		{scaling == "" || scaling == "none", "scaled rotary positions"},
		{!f.Has(kind+".rope.scale_linear") || float("rope.scale_linear") == 1, "scaled rotary positions"},
		{whole("attention.sliding_window") == 0, "attention in sliding windows"},
		{whole("expert_count") == 0, "experts"},
		{f.Has(kind+".attention.head_count_kv") == (c.KVHeads > 0), "layers of different heads"},
	} {
		if !part.ok {
			return transformer.Config{}, errors.New("the model has " + part.what + ", which is not supported")
		}
	}
	for _, key := range []string{"rope.dimension_count", "attention.key_length", "attention.value_length"} {
		if n := whole(key); n != 0 && n != c.HeadDim() {
			return transformer.Config{}, fmt.Errorf("%s.%s is %d, not the %d that the width and the number of heads give", kind, key, n, c.HeadDim())
		}
	}
	if c.KVHeads == 0 {
		c.KVHeads = c.Heads
	}
	if kind == "llama" {
		w.turned = map[string]int{}
		for i := range c.Layers {
			w.turned[fmt.Sprintf("model.layers.%d.self_attn.q_proj.weight", i)] = c.Heads
			w.turned[fmt.Sprintf("model.layers.%d.self_attn.k_proj.weight", i)] = c.KVHeads
		}
	}
	return c, nil
}

func (w *llamaCpp) shapes() map[string][]int {
	out := make(map[string][]int, len(w.at))
	for name, i := range w.at {
		out[name] = w.file.Tensors[i].Shape
	}
	return out
}

// read undoes what llama.cpp does to a Llama's queries and keys (convert_hf_to_gguf.py, permute): its rotary positions turn
// neighbours, row 2i and 2i+1 of a head, where transformers' turn row i of the head's first half and of its second.
func (w *llamaCpp) read(name string, to []float32) error {
	t := &w.file.Tensors[w.at[name]]
	heads := w.turned[name]
	if heads == 0 {
		return w.file.Read(t, to)
	}
	from := make([]float32, len(to))
	if err := w.file.Read(t, from); err != nil {
		return err
	}
	width := t.Shape[1]
	head := t.Shape[0] / heads
	for row := range t.Shape[0] {
		first, i := row/head*head, row%head
		source := first + 2*(i%(head/2)) + i/(head/2)
		copy(to[row*width:(row+1)*width], from[source*width:(source+1)*width])
	}
	return nil
}

var (
	inBlock = regexp.MustCompile(`^blk\.([0-9]{1,4})\.(.+)$`)
	outside = map[string]string{
		"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight",
	}
	inside = map[string]string{
		"attn_norm.weight": "input_layernorm.weight", "ffn_norm.weight": "post_attention_layernorm.weight",
		"attn_q.weight": "self_attn.q_proj.weight", "attn_k.weight": "self_attn.k_proj.weight", "attn_v.weight": "self_attn.v_proj.weight",
		"attn_q.bias": "self_attn.q_proj.bias", "attn_k.bias": "self_attn.k_proj.bias", "attn_v.bias": "self_attn.v_proj.bias",
		"attn_output.weight": "self_attn.o_proj.weight", "ffn_gate.weight": "mlp.gate_proj.weight", "ffn_up.weight": "mlp.up_proj.weight",
		"ffn_down.weight": "mlp.down_proj.weight",
	}
)

// huggingName is Hugging Face's name for a tensor.
func huggingName(name string) (string, error) {
	if to, ok := outside[name]; ok {
		return to, nil
	}
	if m := inBlock.FindStringSubmatch(name); m != nil {
		if to, ok := inside[m[2]]; ok {
			return "model.layers." + m[1] + "." + to, nil
		}
	}
	if name == "rope_freqs.weight" {
		return "", errors.New("the model has scaled rotary positions, which is not supported")
	}
	return "", fmt.Errorf("tensor %q belongs to no such model", name)
}

// The types of tokens that no text encodes to: unknown, control, and what the model's makers added.
var controlTypes = map[int64]bool{2: true, 3: true, 4: true}

func vocabulary(f *gguf.File) (*bpe.Tokenizer, error) {
	if kind := f.Text("tokenizer.ggml.model"); kind != "gpt2" {
		return nil, fmt.Errorf("the tokenizer is of type %q, not gpt2", kind)
	}
	if f.Bool("tokenizer.ggml.add_space_prefix") {
		return nil, errors.New("the tokenizer puts a space before texts, which is not supported")
	}
	v := bpe.Vocabulary{Pre: f.Text("tokenizer.ggml.pre"), Tokens: f.Texts("tokenizer.ggml.tokens"), Merges: f.Texts("tokenizer.ggml.merges")}
	for _, kind := range f.Ints("tokenizer.ggml.token_type") {
		v.Special = append(v.Special, controlTypes[kind])
	}
	t, err := bpe.NewTokenizer(v)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer: %w", err)
	}
	return t, nil
}

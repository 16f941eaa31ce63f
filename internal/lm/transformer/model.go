package transformer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Param is one tensor of weights under the name that Hugging Face's libraries give it. Data is row major and is the
// model's own: writing to it changes the model.
type Param struct {
	Name  string
	Shape []int // outputs before inputs
	Data  []float32
}

// Model is the weights of one model. Passes and decoders read them; nothing here writes to them but who holds
// [Model.Params].
type Model struct {
	Config Config

	// All weights lie in one array in the order of params, so that the query, key and value maps of a layer, and
	// likewise its gate and up maps, are one matrix to compute with.
	flat     []float32
	params   []Param
	embed    []float32 // Vocab x Dim
	norm     []float32
	head     []float32 // Vocab x Dim: what gives the logits; embed, where they are tied
	layers   []layer
	cos, sin []float32 // shared by all models that came of one New

	eight *eight // the matrices of a model in eight bits, which has none of those above
}

// layer is the weights of one layer, each matrix outputs x inputs.
type layer struct {
	norm1, norm2         []float32
	qkv, o, gateUp, down []float32
	bias                 []float32 // of qkv; nil where there is none
}

// New makes a model with random weights: the same configuration and seed give the same model everywhere. It panics
// if the configuration does not pass [Config.Validate].
func New(c Config, seed uint64) *Model {
	m := Blank(c)
	c = m.Config
	rng := rand.New(rand.NewPCG(seed, 0x7472616e73))
	// Maps keep the size of what goes through them; those that write to the residual stream are smaller, since
	// 2*Layers of them add up (Radford et al. 2019).
	normal := func(w []float32, std float64) {
		for i := range w {
			w[i] = float32(std * rng.NormFloat64())
		}
	}
	residual := 1 / math.Sqrt(2*float64(c.Layers))
	normal(m.embed, 0.05)
	if c.Untied {
		normal(m.head, 1/math.Sqrt(float64(c.Dim)))
	}
	for _, l := range m.layers {
		ones(l.norm1)
		ones(l.norm2)
		normal(l.qkv, 1/math.Sqrt(float64(c.Dim)))
		normal(l.o, residual/math.Sqrt(float64(c.Dim)))
		normal(l.gateUp, 1/math.Sqrt(float64(c.Dim)))
		normal(l.down, residual/math.Sqrt(float64(c.Hidden)))
	}
	ones(m.norm)
	return m
}

// Blank makes a model whose weights are all zero, for one who fills them. It panics as [New] does.
func Blank(c Config) *Model {
	c = c.withDefaults()
	if err := c.Validate(); err != nil {
		panic("transformer: " + err.Error())
	}
	m := &Model{Config: c, flat: make([]float32, c.Size())}
	m.cos, m.sin = c.rotary()
	m.lay()
	return m
}

func ones(w []float32) {
	for i := range w {
		w[i] = 1
	}
}

// Params are the model's tensors, always in the same order.
func (m *Model) Params() []Param { return slices.Clone(m.params) }

// Clone is a copy that shares no weights.
func (m *Model) Clone() *Model {
	n := &Model{Config: m.Config, flat: slices.Clone(m.flat), cos: m.cos, sin: m.sin}
	n.lay()
	return n
}

// lay cuts the array into its tensors, which lie in it in the order of params: a gradient is laid out by both.
func (m *Model) lay() {
	c := m.Config
	rest := m.flat
	cut := func(n int) []float32 {
		w := rest[:n:n]
		rest = rest[n:]
		return w
	}
	name := func(n string, w []float32, shape ...int) {
		m.params = append(m.params, Param{Name: n, Shape: shape, Data: w})
	}
	D, H, Q := c.Dim, c.Hidden, c.qkvDim()
	K := D + c.kvDim() // where the values' map begins
	m.params, m.layers = nil, make([]layer, c.Layers)
	m.embed = cut(c.Vocab * D)
	name("model.embed_tokens.weight", m.embed, c.Vocab, D)
	for i := range m.layers {
		l, at := &m.layers[i], fmt.Sprintf("model.layers.%d.", i)
		l.norm1, l.qkv = cut(D), cut(Q*D)
		if c.Bias {
			l.bias = cut(Q)
		}
		l.o, l.norm2, l.gateUp, l.down = cut(D*D), cut(D), cut(2*H*D), cut(D*H)
		name(at+"input_layernorm.weight", l.norm1, D)
		name(at+"self_attn.q_proj.weight", l.qkv[:D*D:D*D], D, D)
		name(at+"self_attn.k_proj.weight", l.qkv[D*D:K*D:K*D], K-D, D)
		name(at+"self_attn.v_proj.weight", l.qkv[K*D:], Q-K, D)
		if c.Bias {
			name(at+"self_attn.q_proj.bias", l.bias[:D:D], D)
			name(at+"self_attn.k_proj.bias", l.bias[D:K:K], K-D)
			name(at+"self_attn.v_proj.bias", l.bias[K:], Q-K)
		}
		name(at+"self_attn.o_proj.weight", l.o, D, D)
		name(at+"post_attention_layernorm.weight", l.norm2, D)
		name(at+"mlp.gate_proj.weight", l.gateUp[:H*D:H*D], H, D)
		name(at+"mlp.up_proj.weight", l.gateUp[H*D:], H, D)
		name(at+"mlp.down_proj.weight", l.down, D, H)
	}
	m.norm, m.head = cut(D), m.embed
	name("model.norm.weight", m.norm, D)
	if c.Untied {
		m.head = cut(c.Vocab * D)
		name("lm_head.weight", m.head, c.Vocab, D)
	}
}

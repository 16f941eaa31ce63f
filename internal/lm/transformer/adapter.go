package transformer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Adapter is a low-rank change of a model's linear maps: where the model has y = Wx, model and adapter together have
// y = (W + Alpha/Rank * B A) x. All seven maps of every layer have one; embedding and norms stay as they are.
type Adapter struct {
	Rank  int
	Alpha float64

	config Config
	flat   []float32
	params []Param
	layers []adapterLayer
}

// adapterLayer has the four places where a layer multiplies: maps that take the same input are one place.
type adapterLayer [4]lowRank

// lowRank is the change of one matrix of the model's, which is several maps of the same input one below the other.
type lowRank struct {
	a    []float32   // all maps' A, one below the other: len(b)*rank x in
	b    [][]float32 // each map's B: out x rank
	in   int
	outs []int // rows of each map
}

// out is how many rows all maps have.
func (p lowRank) out() int {
	n := 0
	for _, rows := range p.outs {
		n += rows
	}
	return n
}

// NewAdapter makes an adapter that changes nothing yet: A is random, B is zero (Hu et al. 2021, section 4.1).
// The same arguments give the same adapter. It panics if the rank is not within 1 and [MaxRank] or the configuration
// is not valid.
func NewAdapter(c Config, rank int, alpha float64, seed uint64) *Adapter {
	c = c.withDefaults()
	if err := c.Validate(); err != nil {
		panic("transformer: " + err.Error())
	}
	if rank < 1 || rank > MaxRank {
		panic(fmt.Sprintf("transformer: rank %d is not within 1 and %d", rank, MaxRank))
	}
	a := &Adapter{Rank: rank, Alpha: alpha, config: c}
	// ins and outs of q, k, v; o; gate, up; down
	a.flat = make([]float32, c.Layers*rank*(3*c.Dim+c.qkvDim()+2*c.Dim+3*(c.Dim+c.Hidden)))
	a.lay()
	rng := rand.New(rand.NewPCG(seed, 0x6c6f7261))
	for _, l := range a.layers {
		for _, p := range l {
			// Uniform within 1/sqrt(in), as PEFT's kaiming_uniform_ with a = sqrt(5).
			bound := 1 / math.Sqrt(float64(p.in))
			for i := range p.a {
				p.a[i] = float32((2*rng.Float64() - 1) * bound)
			}
		}
	}
	return a
}

// MaxRank is the largest rank an adapter may have.
const MaxRank = 256

// Params are the adapter's tensors under the names that PEFT gives them, always in the same order. They are the
// adapter's own: writing to them changes it.
func (a *Adapter) Params() []Param { return slices.Clone(a.params) }

// Config is the shape of the models that the adapter fits.
func (a *Adapter) Config() Config { return a.config }

// Clone is a copy that shares no weights.
func (a *Adapter) Clone() *Adapter {
	n := &Adapter{Rank: a.Rank, Alpha: a.Alpha, config: a.config, flat: slices.Clone(a.flat)}
	n.lay()
	return n
}

func (a *Adapter) scale() float32 { return float32(a.Alpha / float64(a.Rank)) }

func (a *Adapter) lay() {
	c, r, rest := a.config, a.Rank, a.flat
	cut := func(n int) []float32 {
		w := rest[:n:n]
		rest = rest[n:]
		return w
	}
	a.params, a.layers = nil, make([]adapterLayer, c.Layers)
	for i := range a.layers {
		for p, place := range []struct {
			maps []string
			in   int
			outs []int
		}{
			{[]string{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}, c.Dim, []int{c.Dim, c.kvDim(), c.kvDim()}},
			{[]string{"self_attn.o_proj"}, c.Dim, []int{c.Dim}},
			{[]string{"mlp.gate_proj", "mlp.up_proj"}, c.Dim, []int{c.Hidden, c.Hidden}},
			{[]string{"mlp.down_proj"}, c.Hidden, []int{c.Dim}},
		} {
			w := lowRank{a: cut(len(place.maps) * r * place.in), in: place.in, outs: place.outs}
			at := func(m, ab string) string {
				return fmt.Sprintf("base_model.model.model.layers.%d.%s.lora_%s.weight", i, m, ab)
			}
			for j, m := range place.maps {
				n := r * place.in
				a.params = append(a.params, Param{Name: at(m, "A"), Shape: []int{r, place.in}, Data: w.a[j*n : (j+1)*n : (j+1)*n]})
			}
			for j, m := range place.maps {
				b := cut(place.outs[j] * r)
				w.b = append(w.b, b)
				a.params = append(a.params, Param{Name: at(m, "B"), Shape: []int{place.outs[j], r}, Data: b})
			}
			a.layers[i][p] = w
		}
	}
}

// Merge gives the model with the adapter folded into its weights: a new model, m stays as it is. It panics if the
// adapter is of another shape. A nil adapter gives a copy.
func (m *Model) Merge(a *Adapter) *Model {
	n := m.Clone()
	if a != nil {
		n.Fold(m, a)
	}
	return n
}

// Fold sets the linear maps of m, a model that [Model.Merge] has made of base, to those of base with an adapter added: a
// merge in the memory of another. It panics if the adapter is of another shape.
func (m *Model) Fold(base *Model, a *Adapter) {
	if a.config != base.Config {
		panic("transformer: the adapter is of another shape than the model")
	}
	for i := range m.layers {
		l, b := &m.layers[i], &base.layers[i]
		for p, w := range [4][2][]float32{{l.qkv, b.qkv}, {l.o, b.o}, {l.gateUp, b.gateUp}, {l.down, b.down}} {
			a.layers[i][p].addTo(w[0], w[1], a.Rank, a.scale())
		}
	}
}

// addTo sets w to base + scale * B A.
func (p lowRank) addTo(w, base []float32, rank int, scale float32) {
	for j, b := range p.b {
		n := p.outs[j] * p.in
		out := w[:n]
		tensor.Gemm(false, false, p.outs[j], p.in, rank, b, rank, p.a[j*rank*p.in:], p.in, out, p.in, false)
		tensor.Scale(out, scale)
		tensor.Axpy(out, 1, base[:n])
		w, base = w[n:], base[n:]
	}
}

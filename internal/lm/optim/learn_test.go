package optim_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// TestItLearns: gradients, clipping, schedule and steps together learn a sequence by heart, by all weights or by an
// adapter alone, which leaves the model as it was.
func TestItLearns(t *testing.T) {
	c := transformer.Config{Vocab: 30, Dim: 32, Heads: 1, Layers: 2, Hidden: 48, Context: 32}
	tokens := []int32{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}
	n := len(tokens) - 1
	want, dlogp := make([]bool, n), make([]float32, n)
	for i := range want {
		want[i], dlogp[i] = true, -1/float32(n)
	}
	for _, tt := range []struct {
		name string
		rank int
		rate float64
	}{{"all weights", 0, 1e-2}, {"adapter", 8, 3e-2}} {
		t.Run(tt.name, func(t *testing.T) {
			m := transformer.New(c, 1)
			for i := range m.Params()[0].Data { // an adapter leaves the embedding: a new one's logits are too small to be sure of anything
				m.Params()[0].Data[i] *= 8
			}
			var a *transformer.Adapter
			if tt.rank > 0 {
				a = transformer.NewAdapter(m.Config, tt.rank, 16, 2)
			}
			p := transformer.NewPass(m, a)
			o, g := optim.New(p.Params(), optim.AdamW{Decay: 0.01}), transformer.NewGrads(p.Params())
			before := m.Clone().Params()
			loss := func() (s float64) {
				logp, _ := p.Forward([]transformer.Sequence{{Tokens: tokens, Want: want}}, 1)
				for _, v := range logp[0] {
					s -= float64(v) / float64(n)
				}
				return s
			}
			const steps = 60
			first := loss()
			for step := range steps {
				loss()
				g.Zero()
				p.Backward([][]float32{dlogp}, nil, g)
				optim.Clip(g, 1)
				o.Step(g, optim.Cosine(step, steps, 5, tt.rate, tt.rate/10))
			}
			if last := loss(); first < 2 || last > 0.3 {
				t.Errorf("loss from %.3f to %.3f", first, last)
			}
			for i, p := range m.Params() {
				same := true
				for j, v := range p.Data {
					same = same && v == before[i].Data[j]
				}
				if same != (tt.rank > 0) {
					t.Errorf("%s: unchanged is %v", p.Name, same)
				}
			}
		})
	}
}

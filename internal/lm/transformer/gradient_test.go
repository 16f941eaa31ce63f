package transformer

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// tiny is small enough for finite differences of every kind of parameter.
func tiny() Config {
	return Config{Vocab: 23, Dim: 12, Layers: 2, Heads: 2, Hidden: 10, Context: 160}.withDefaults()
}

// grouped has heads that share keys and values.
func grouped() Config {
	return Config{Vocab: 23, Dim: 24, Layers: 2, Heads: 6, KVHeads: 2, Hidden: 10, Context: 160}.withDefaults()
}

// qwen is Qwen2's architecture, the larger ones' with an output matrix of its own.
func qwen() Config {
	c := grouped()
	c.Bias, c.Untied = true, true
	return c
}

// sequence makes tokens, and wants about half of them.
func sequence(c Config, n int, seed uint64) (tokens []int32, want []bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		tokens = append(tokens, int32(rng.IntN(c.Vocab)))
		want = append(want, rng.IntN(2) == 0)
	}
	want[n-2] = true
	return tokens, want
}

// forward and backward take a single sequence through a pass.
func forward(p *Pass, tokens []int32, want []bool, temperature float32) (logp, entropy []float32) {
	l, e := p.Forward([]Sequence{{tokens, want}}, temperature)
	return l[0], e[0]
}

func backward(p *Pass, dlogp, dent []float32, g *Grads) {
	if dent == nil {
		p.Backward([][]float32{dlogp}, nil, g)
		return
	}
	p.Backward([][]float32{dlogp}, [][]float32{dent}, g)
}

// weights makes derivatives for what Forward gives.
func weights(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 2))
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	return w
}

// busy fills an adapter's B, which begins at zero, so that it does something.
func busy(a *Adapter) *Adapter {
	for i, p := range a.Params() {
		w := weights(len(p.Data), uint64(i))
		for j := range p.Data {
			p.Data[j] += 0.3 * w[j]
		}
	}
	return a
}

func TestGradientsAgreeWithFiniteDifferences(t *testing.T) {
	const n = 9
	for _, tt := range []struct {
		name        string
		c           Config
		adapter     *Adapter
		entropy     bool
		temperature float32
	}{
		{"model", tiny(), nil, false, 1},
		{"model, entropy, temperature", tiny(), nil, true, 0.6},
		{"model that shares keys and values", grouped(), nil, false, 1},
		{"model with biases and an output of its own", qwen(), nil, false, 1},
		{"adapter", tiny(), busy(NewAdapter(tiny(), 3, 6, 5)), false, 1},
		{"adapter, entropy, temperature", tiny(), busy(NewAdapter(tiny(), 2, 5, 5)), true, 1.7},
		{"adapter on shared keys and values", grouped(), busy(NewAdapter(grouped(), 3, 6, 5)), false, 1},
		{"adapter beside biases", qwen(), busy(NewAdapter(qwen(), 3, 6, 5)), false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.c
			m := New(c, 7)
			for _, prm := range m.Params() {
				if strings.HasSuffix(prm.Name, ".bias") {
					copy(prm.Data, weights(len(prm.Data), 6))
				}
			}
			p := NewPass(m, tt.adapter)
			tokens, want := sequence(c, n, 3)
			dlogp, dent := weights(n-1, 4), []float32(nil)
			if tt.entropy {
				dent = weights(n-1, 5)
			}
			value := func() float64 {
				logp, ent := forward(p, tokens, want, tt.temperature)
				s := 0.0
				for i := range logp {
					s += float64(dlogp[i]) * float64(logp[i])
					if dent != nil {
						s += float64(dent[i]) * float64(ent[i])
					}
				}
				return s
			}
			value()
			g := NewGrads(p.Params())
			backward(p, dlogp, dent, g)
			kinds := map[string]bool{}
			for i, prm := range p.Params() {
				rng := rand.New(rand.NewPCG(uint64(i), 9))
				norm := math.Sqrt(float64(tensor.Dot(g.Data[i], g.Data[i])) / float64(len(prm.Data)))
				if norm == 0 {
					t.Errorf("%s has no gradient", prm.Name)
				}
				kinds[prm.Name] = true
				for range 6 {
					k := rng.IntN(len(prm.Data))
					was, h := prm.Data[k], float32(4e-3)
					prm.Data[k] = was + h
					up := value()
					prm.Data[k] = was - h
					down := value()
					prm.Data[k] = was
					got, want := float64(g.Data[i][k]), (up-down)/(2*float64(h))
					if math.Abs(got-want) > 0.02*math.Abs(want)+0.02*norm+2e-3 {
						t.Errorf("%s[%d]: gradient %.6f, finite difference %.6f (rms %.4f)", prm.Name, k, got, want, norm)
					}
				}
			}
			tensors := 2 + 9*c.Layers
			if c.Untied {
				tensors += 1 + 3*c.Layers // qwen
			}
			if want := map[bool]int{true: tensors, false: 14 * c.Layers}[tt.adapter == nil]; len(kinds) != want {
				t.Errorf("%d parameters, want %d", len(kinds), want)
			}
		})
	}
}

func TestDecoderGivesWhatAPassGives(t *testing.T) {
	c := tiny()
	a := busy(NewAdapter(c, 3, 6, 5))
	m := New(c, 7)
	tokens, want := sequence(c, 150, 3)
	for i := range want {
		want[i] = true
	}
	p := NewPass(m, a)
	logp, _ := forward(p, tokens, want, 1)
	d := NewDecoder(m.Merge(a), 1, 1)
	worst := 0.0
	for i, tok := range tokens[:len(tokens)-1] {
		z := d.Step([]Row{{Pos: i, Token: tok, Want: true}})[0]
		top, s := tensor.Max(z), 0.0
		for _, v := range z {
			s += math.Exp(float64(v - top))
		}
		got := float64(z[tokens[i+1]]-top) - math.Log(s)
		worst = max(worst, math.Abs(got-float64(logp[i])))
	}
	if worst > 1e-4 {
		t.Errorf("log-probabilities differ by %g", worst)
	}
}

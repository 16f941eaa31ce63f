package transformer

import (
	"math"
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// rounded is a model whose matrices were rounded to eight bits, in 32.
func rounded(m *Model) *Model {
	n := m.Clone()
	round := func(w []float32, out, in int) {
		p := tensor.PackInt8(out, in, w)
		for i := range out {
			p.Row(i, w[i*in:(i+1)*in])
		}
	}
	round(n.embed, n.Config.Vocab, n.Config.Dim)
	if n.Config.Untied {
		round(n.head, n.Config.Vocab, n.Config.Dim)
	}
	for i := range n.layers {
		for place := range places {
			out, in := n.Config.shape(place)
			round(n.layers[i].matrix(place), out, in)
		}
	}
	return n
}

// wide has matrices of several blocks of eight bits.
func wide() Config {
	c := qwen()
	c.Dim, c.Hidden = 48, 70
	return c
}

// biased is a model whose biases do something.
func biased(c Config) *Model {
	m := New(c, 7)
	for i := range m.layers {
		copy(m.layers[i].bias, weights(len(m.layers[i].bias), 6))
	}
	return m
}

// TestEightBitsComputeAsTheRoundedModel: to the bit, in passes and decoders.
func TestEightBitsComputeAsTheRoundedModel(t *testing.T) {
	for _, c := range []Config{tiny(), wide()} {
		m := biased(c)
		m8, m32 := m.InEightBits(), rounded(m)
		tokens, want := sequence(c, 130, 3)
		logp, entropy := forward(NewReader(m8), tokens, want, 0.8)
		logp32, entropy32 := forward(NewReader(m32), tokens, want, 0.8)
		if !sameBits(logp, logp32) || !sameBits(entropy, entropy32) {
			t.Error("a pass differs")
		}
		if !slices.EqualFunc(alone(m8, tokens[:20]), alone(m32, tokens[:20]), sameBits) {
			t.Error("a decoder differs")
		}
		if plain, _ := forward(NewReader(m), tokens, want, 0.8); sameBits(logp, plain) {
			t.Error("nothing was rounded")
		}
	}
}

// TestAnAdapterBesideEightBits: it computes, and learns, what it would merged into the rounded model, but for rounding.
func TestAnAdapterBesideEightBits(t *testing.T) {
	c := wide()
	m, a := biased(c), busy(NewAdapter(c, 3, 4, 5))
	tokens, want := sequence(c, 110, 3)
	dlogp, dent := weights(109, 4), weights(109, 5)
	p8, p32 := NewPass(m.InEightBits(), a), NewPass(rounded(m), a)
	g8, g32 := NewGrads(a.Params()), NewGrads(a.Params())
	for range 2 { // the second time with another adapter
		logp, entropy := forward(p8, tokens, want, 0.8)
		logp32, entropy32 := forward(p32, tokens, want, 0.8)
		alike(t, "log-probabilities", logp, logp32)
		alike(t, "entropies", entropy, entropy32)
		g8.Zero()
		g32.Zero()
		backward(p8, dlogp, dent, g8)
		backward(p32, dlogp, dent, g32)
		alike(t, "gradients", g8.flat, g32.flat)
		busy(a)
	}
}

// alike compares by the size of what is compared.
func alike(t *testing.T, what string, got, want []float32) {
	t.Helper()
	size, apart := 0.0, 0.0
	for i, w := range want {
		size += float64(w) * float64(w)
		apart += float64(got[i]-w) * float64(got[i]-w)
	}
	if !(math.Sqrt(apart) <= 1e-4*math.Sqrt(size)) {
		t.Errorf("%s differ by %g of their size", what, math.Sqrt(apart/size))
	}
}

// TestADecoderWithAnAdapterBeside: sampler and trainer are one policy, but for the order in which attention adds up.
func TestADecoderWithAnAdapterBeside(t *testing.T) {
	c := wide()
	m, a := biased(c).InEightBits(), busy(NewAdapter(c, 3, 4, 5))
	tokens, want := sequence(c, 140, 3)
	for i := range want {
		want[i] = true
	}
	p := NewPass(m, a)
	forward(p, tokens, want, 1)
	d := NewDecoder(m, 1, 2)
	d.Use(m, a)
	rows := make([]Row, len(tokens)-1)
	for i := range rows {
		rows[i] = Row{Pos: i, Token: tokens[i], Want: true}
	}
	for i, z := range d.Step(rows) {
		alike(t, "logits", z, p.logits[i*c.Vocab:(i+1)*c.Vocab])
	}
}

// TestADecoderLeavesEightBitsAsTheyAre when it goes on with another model.
func TestADecoderLeavesEightBitsAsTheyAre(t *testing.T) {
	c := wide()
	m, a := biased(c), busy(NewAdapter(c, 3, 4, 5))
	m8 := m.InEightBits()
	tokens, _ := sequence(c, 20, 3)
	before := alone(m8, tokens)
	d := NewDecoder(m8, 1, 1)
	d.Use(m8, a)
	d.Use(New(c, 99), nil)
	if !slices.EqualFunc(alone(m8, tokens), before, sameBits) {
		t.Error("a model in eight bits was written to")
	}
	d.Use(m8, nil)
	if z := d.Step([]Row{{Token: tokens[0], Want: true}})[0]; !sameBits(z, before[0]) {
		t.Error("the adapter before is still there, or the other model")
	}
	mustPanic(t, "eight bits is not trained", func() { NewPass(m8, nil) })
	mustPanic(t, "another shape", func() { d.Use(m8, NewAdapter(tiny(), 3, 4, 5)) })
}

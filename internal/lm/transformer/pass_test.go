package transformer

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// TestAnAdapterComputesAsTheMergedModel: sampler and trainer are one policy, to the bit.
func TestAnAdapterComputesAsTheMergedModel(t *testing.T) {
	c := tiny()
	m, a := New(c, 1), busy(NewAdapter(c, 4, 7, 2))
	tokens, want := sequence(c, 120, 3)
	merged := NewPass(m.Merge(a), nil)
	logp, entropy := forward(NewPass(m, a), tokens, want, 0.8)
	logp2, entropy2 := forward(merged, tokens, want, 0.8)
	if !sameBits(logp, logp2) || !sameBits(entropy, entropy2) {
		t.Error("an adapter and the merged model differ")
	}
	plain, _ := forward(NewPass(m, nil), tokens, want, 0.8)
	if sameBits(logp, plain) {
		t.Error("the adapter does nothing")
	}
	fresh, _ := forward(NewPass(m, NewAdapter(c, 4, 7, 2)), tokens, want, 0.8)
	if !sameBits(fresh, plain) {
		t.Error("a new adapter does something")
	}
}

// TestASequenceIsTheSameInAnyCompany: nothing is left of the sequences before, of what was wanted of them, or of weights
// that were changed in between.
func TestASequenceIsTheSameInAnyCompany(t *testing.T) {
	c := tiny()
	m, a := New(c, 1), busy(NewAdapter(c, 4, 7, 2))
	tokens, want := sequence(c, 100, 3)
	dlogp, dent := weights(99, 4), weights(99, 5)
	first := NewPass(m, a)
	p, e := forward(first, tokens, want, 1)
	logp, entropy := slices.Clone(p), slices.Clone(e)
	g := NewGrads(a.Params())
	backward(first, dlogp, dent, g)

	other := NewPass(m, a)
	long, all := sequence(c, 160, 8)
	for i := range all {
		all[i] = true
	}
	forward(other, long, all, 2)
	backward(other, weights(159, 1), nil, NewGrads(a.Params()))
	keep := slices.Clone(a.flat)
	clear(a.flat)
	forward(other, long[:2], all, 1)
	copy(a.flat, keep)
	p, e = forward(other, tokens, want, 1)
	g2 := NewGrads(a.Params())
	backward(other, dlogp, dent, g2)
	if !sameBits(p, logp) || !sameBits(e, entropy) {
		t.Error("log-probabilities or entropies depend on what came before")
	}
	if !sameBits(g.flat, g2.flat) {
		t.Error("gradients depend on what came before")
	}

	// Positions that are wanted beside it change nothing either.
	p, e = forward(other, tokens, all, 1)
	for i := range logp {
		if want[i] && (logp[i] != p[i] || entropy[i] != e[i]) {
			t.Errorf("position %d depends on what else is wanted", i)
		}
	}
	// And what follows a position is not seen there.
	short, _ := forward(other, tokens[:50], want, 1)
	for i := range short {
		if math.Abs(float64(short[i]-logp[i])) > 1e-6 {
			t.Errorf("position %d sees what follows it", i)
		}
	}
}

// TestGradientsOfALongSequence checks the blocks that attention is cut into: the gradient along itself is the change.
func TestGradientsOfALongSequence(t *testing.T) {
	c := tiny()
	m := New(c, 1)
	tokens, want := sequence(c, 150, 3)
	dlogp := weights(149, 4)
	p := NewPass(m, nil)
	value := func() (s float64) {
		logp, _ := forward(p, tokens, want, 1)
		for i, v := range logp {
			s += float64(dlogp[i]) * float64(v)
		}
		return s
	}
	value()
	g := NewGrads(m.Params())
	backward(p, dlogp, nil, g)
	for i, prm := range m.Params() {
		was := slices.Clone(prm.Data)
		norm := 0.0
		for _, v := range g.Data[i] {
			norm += float64(v) * float64(v)
		}
		h := 1e-2 / math.Sqrt(norm)
		move := func(k float64) float64 {
			for j, v := range g.Data[i] {
				prm.Data[j] = was[j] + float32(k*float64(v))
			}
			return value()
		}
		got := (move(h) - move(-h)) / (2 * h)
		copy(prm.Data, was)
		if math.Abs(got-norm) > 0.01*norm {
			t.Errorf("%s: along its gradient the value grows by %v, want %v", prm.Name, got, norm)
		}
	}
}

// TestProbabilitiesComputedAgain: what a long sequence does not keep for the way back changes nothing.
func TestProbabilitiesComputedAgain(t *testing.T) {
	c := grouped()
	m := New(c, 1)
	tokens, want := sequence(c, 150, 3)
	var got [2]*Grads
	for i, most := range []int{maxProbs, 0} {
		p := NewPass(m, nil)
		p.most = most
		got[i] = NewGrads(m.Params())
		forward(p, tokens, want, 1)
		backward(p, weights(149, 4), nil, got[i])
	}
	if !sameBits(got[0].flat, got[1].flat) {
		t.Error("the gradients differ")
	}
}

// TestProbabilitiesKeptAfterOnesComputedAgain: a short sequence after a long one, whose layers shared the room for theirs.
func TestProbabilitiesKeptAfterOnesComputedAgain(t *testing.T) {
	c := grouped()
	m := New(c, 1)
	p, fresh := NewPass(m, nil), NewPass(m, nil)
	p.most = c.Layers * c.Heads * 100 * 100
	long, all := sequence(c, 150, 3)
	forward(p, long, all, 1)
	tokens, want := sequence(c, 90, 5)
	got, alone := NewGrads(m.Params()), NewGrads(m.Params())
	for pass, g := range map[*Pass]*Grads{p: got, fresh: alone} {
		forward(pass, tokens, want, 1)
		backward(pass, weights(89, 4), nil, g)
	}
	if !sameBits(got.flat, alone.flat) {
		t.Error("the gradients differ")
	}
}

func TestAReaderComputesAsAPass(t *testing.T) {
	c := grouped()
	m := New(c, 1)
	r := NewReader(m)
	for _, n := range []int{60, 150, 9} { // buffers that grow and shrink
		tokens, want := sequence(c, n, 3)
		logp, entropy := forward(NewPass(m, nil), tokens, want, 0.8)
		gotP, gotE := forward(r, tokens, want, 0.8)
		if !sameBits(logp, gotP) || !sameBits(entropy, gotE) {
			t.Errorf("%d tokens: what it reads differs", n)
		}
	}
	mustPanic(t, "nothing is trained", func() { backward(r, weights(8, 1), nil, NewGrads(m.Params())) })
}

// TestForksShareWeights: passes for several goroutines follow the weights, and compute the same.
func TestForksShareWeights(t *testing.T) {
	c := tiny()
	m, a := New(c, 1), busy(NewAdapter(c, 2, 4, 1))
	tokens, want := sequence(c, 40, 3)
	p := NewPass(m, a)
	f := p.Fork()
	for range 2 {
		logp, _ := forward(p, tokens, want, 1)
		forked, _ := forward(f, tokens, want, 1)
		fresh, _ := forward(NewPass(m, a.Clone()), tokens, want, 1)
		if !sameBits(logp, forked) || !sameBits(logp, fresh) {
			t.Error("the log-probabilities differ")
		}
		a.Params()[1].Data[3] += 0.5
	}
}

func TestBackwardAdds(t *testing.T) {
	c := tiny()
	m := New(c, 1)
	tokens, want := sequence(c, 20, 3)
	p, once, twice := NewPass(m, nil), NewGrads(m.Params()), NewGrads(m.Params())
	for _, g := range []*Grads{once, twice, twice} {
		forward(p, tokens, want, 1)
		backward(p, weights(19, 1), nil, g)
	}
	once.Add(once)
	for i := range once.flat {
		if math.Abs(float64(once.flat[i]-twice.flat[i])) > 1e-5*math.Abs(float64(once.flat[i]))+1e-6 {
			t.Fatalf("value %d: %v, want %v", i, twice.flat[i], once.flat[i])
		}
	}
	norm := once.Norm()
	once.Scale(0.5)
	if math.Abs(once.Norm()-norm/2) > 1e-6*norm {
		t.Errorf("norm %v of half of %v", once.Norm(), norm)
	}
	once.Zero()
	forward(p, tokens, make([]bool, 20), 1)
	backward(p, weights(19, 1), nil, once)
	if once.Norm() != 0 {
		t.Error("a gradient of what was not wanted")
	}
	mustPanic(t, "is added to one of", func() { once.Add(NewGrads(NewAdapter(c, 1, 1, 1).Params())) })
	forward(p, tokens, want, 1)
	mustPanic(t, "values for", func() { backward(p, weights(19, 1), nil, NewGrads(NewAdapter(c, 1, 1, 1).Params())) })
	mustPanic(t, "only 18 log-probabilities", func() { backward(p, weights(18, 1), nil, once) })
	mustPanic(t, "only 18 entropies", func() { backward(p, weights(19, 1), weights(18, 1), once) })
}

func TestForwardRefusesWrongSequences(t *testing.T) {
	p := NewPass(New(tiny(), 1), nil)
	for _, tt := range []struct {
		name   string
		tokens []int32
		want   []bool
		panics string
	}{
		{"empty", nil, nil, "a sequence of 0 tokens"},
		{"long", make([]int32, 161), make([]bool, 161), "a sequence of 161 tokens does not fit a context of 160"},
		{"token", []int32{1, 23}, make([]bool, 2), "token 23 at 1"},
		{"negative token", []int32{-1, 2}, make([]bool, 2), "token -1 at 0"},
		{"want", make([]int32, 5), make([]bool, 3), "5 tokens and only 3 wants"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mustPanic(t, tt.panics, func() { forward(p, tt.tokens, tt.want, 1) })
		})
	}
	if logp, entropy := forward(p, []int32{4}, nil, 1); len(logp) != 0 || len(entropy) != 0 {
		t.Errorf("one token: %v, %v", logp, entropy)
	}
}

func TestPassDoesNotAllocate(t *testing.T) {
	c := tiny()
	tokens, want := sequence(c, 150, 3)
	d := weights(149, 1)
	for _, a := range []*Adapter{nil, NewAdapter(c, 3, 6, 1)} {
		p := NewPass(New(c, 1), a)
		g := NewGrads(p.Params())
		step := func() {
			forward(p, tokens, want, 1)
			backward(p, d, d, g)
		}
		step()
		if n := testing.AllocsPerRun(5, step); n > 1 {
			t.Errorf("%v allocations in a pass", n)
		}
	}
}

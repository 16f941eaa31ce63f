//go:build unix

package transformer_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// BenchmarkTrain is a training step: the gradient of a batch of 16 sequences of 320 tokens on two goroutines, clipped,
// and an optimizer step. With "half" every second stretch of 40 tokens is the policy's own, as in a rollout.
func BenchmarkTrain(b *testing.B) {
	const batch, length = 16, 320
	for _, bm := range []struct {
		name string
		c    transformer.Config
		rank int
		half bool
	}{
		{"small/full", transformer.Small(), 0, false},
		{"small/lora8", transformer.Small(), 8, false},
		{"small/lora8-half", transformer.Small(), 8, true},
		{"medium/full", transformer.Medium(), 0, false},
		{"large/full", transformer.Large(), 0, false},
	} {
		b.Run(bm.name, func(b *testing.B) {
			m := transformer.New(bm.c, 1)
			var a *transformer.Adapter
			if bm.rank > 0 {
				a = transformer.NewAdapter(bm.c, bm.rank, 16, 2)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var tokens [batch][]int32
			want, dlogp := make([]bool, length), make([]float32, length)
			for i := range length {
				want[i] = !bm.half || i/40%2 == 1
				dlogp[i] = -1. / (batch * length)
			}
			for i := range tokens {
				for range length {
					tokens[i] = append(tokens[i], int32(rng.IntN(bm.c.Vocab)))
				}
			}
			var passes [2]*transformer.Pass
			var grads [2]*transformer.Grads
			for i := range passes {
				passes[i] = transformer.NewPass(m, a)
				grads[i] = transformer.NewGrads(passes[i].Params())
			}
			o := optim.New(passes[0].Params(), optim.AdamW{})
			b.ReportAllocs()
			before := processorTime(b)
			for b.Loop() {
				var wg sync.WaitGroup
				for w, p := range passes {
					wg.Go(func() {
						grads[w].Zero()
						for i := w; i < batch; i += 2 {
							p.Forward([]transformer.Sequence{{Tokens: tokens[i], Want: want}}, 1)
							p.Backward([][]float32{dlogp}, nil, grads[w])
						}
					})
				}
				wg.Wait()
				grads[0].Add(grads[1])
				optim.Clip(grads[0], 1)
				o.Step(grads[0], 1e-4)
			}
			report(b, before, batch*length)
		})
	}
}

// BenchmarkDecode samples conversations of 400 tokens, the likeliest one each, with two decoders on two goroutines; so
// many conversations at once in each.
func BenchmarkDecode(b *testing.B) {
	const length = 400
	for _, slots := range []int{1, 16, 32, 64} {
		b.Run(fmt.Sprintf("small/%d", slots), func(b *testing.B) {
			m := transformer.New(transformer.Small(), 1)
			var decoders [2]*transformer.Decoder
			for i := range decoders {
				decoders[i] = transformer.NewDecoder(m, slots, 1)
			}
			b.ReportAllocs()
			before := processorTime(b)
			for b.Loop() {
				var wg sync.WaitGroup
				for _, d := range decoders {
					wg.Go(func() {
						rows := make([]transformer.Row, slots)
						for s := range rows {
							rows[s] = transformer.Row{Slot: s, Token: int32(s), Want: true}
						}
						for range length {
							for s, logits := range d.Step(rows) {
								rows[s].Pos++
								rows[s].Token = likeliest(logits)
							}
						}
					})
				}
				wg.Wait()
			}
			report(b, before, 2*length*slots)
		})
	}
}

// smolLM2 is the shape of SmolLM2-135M.
func smolLM2() transformer.Config {
	return transformer.Config{Vocab: 49152, Dim: 576, Layers: 30, Heads: 9, KVHeads: 3, Hidden: 1536, Context: 8192, RopeBase: 1e5}
}

// eachPrecision measures a model of SmolLM2's shape with weights in 32 bits and in eight.
func eachPrecision(b *testing.B, f func(b *testing.B, m *transformer.Model)) {
	m := transformer.New(smolLM2(), 1)
	b.Run("f32", func(b *testing.B) { f(b, m) })
	b.Run("int8", func(b *testing.B) { f(b, m.InEightBits()) })
}

// BenchmarkPretrainedTrain is a training step of an adapter of rank 16 on a model of SmolLM2's shape: the gradient of 4
// sequences of 512 tokens, of which the last 200 are the policy's own, on as many goroutines as there are processors.
func BenchmarkPretrainedTrain(b *testing.B) {
	eachPrecision(b, func(b *testing.B, m *transformer.Model) {
		const batch, length, own = 4, 512, 200
		a := transformer.NewAdapter(m.Config, 16, 32, 2)
		passes := []*transformer.Pass{transformer.NewPass(m, a)}
		grads := []*transformer.Grads{transformer.NewGrads(a.Params())}
		for len(passes) < runtime.GOMAXPROCS(0) {
			passes, grads = append(passes, passes[0].Fork()), append(grads, transformer.NewGrads(a.Params()))
		}
		o := optim.New(a.Params(), optim.AdamW{})
		rng := rand.New(rand.NewPCG(1, 1))
		tokens, want, dlogp := make([]int32, length), make([]bool, length), make([]float32, length)
		for i := range tokens {
			tokens[i], want[i], dlogp[i] = int32(rng.IntN(m.Config.Vocab)), i >= length-own-1, -1./(batch*own)
		}
		step := func() {
			var wg sync.WaitGroup
			for w, p := range passes {
				wg.Go(func() {
					grads[w].Zero()
					for i := w; i < batch; i += len(passes) {
						p.Forward([]transformer.Sequence{{Tokens: tokens, Want: want}}, 1)
						p.Backward([][]float32{dlogp}, nil, grads[w])
					}
				})
			}
			wg.Wait()
			for _, g := range grads[1:] {
				grads[0].Add(g)
			}
			optim.Clip(grads[0], 1)
			o.Step(grads[0], 1e-4)
		}
		step() // not counted: the first one allocates
		before := processorTime(b)
		for b.Loop() {
			step()
		}
		report(b, before, batch*length)
	})
}

// BenchmarkPretrainedGroup is the gradient of a group of 16 rollouts, as the learning of a step of reinforcement has it: all
// begin with 250 tokens, pairs share 60 more, and each has 120 alone, of which it wrote every other 30. In one bundle what
// they share is computed once; one by one it is not.
func BenchmarkPretrainedGroup(b *testing.B) {
	const group, prompt, pair, length = 16, 250, 60, 430
	m := transformer.New(smolLM2(), 1).InEightBits()
	a := transformer.NewAdapter(m.Config, 16, 32, 2)
	rng := rand.New(rand.NewPCG(1, 1))
	var all [][]transformer.Sequence
	var one []transformer.Sequence
	dlogp := make([][]float32, group)
	for i := range group {
		s := transformer.Sequence{Want: make([]bool, length)}
		if i > 0 {
			s.Tokens = append(s.Tokens, one[i-1].Tokens[:prompt+i%2*pair]...)
		}
		for j := range length {
			if j >= len(s.Tokens) {
				s.Tokens = append(s.Tokens, int32(rng.IntN(m.Config.Vocab)))
			}
			s.Want[j] = j >= prompt && (j-prompt)/30%2 == 0
			dlogp[i] = append(dlogp[i], -1./(group*length/4))
		}
		one = append(one, s)
		all = append(all, []transformer.Sequence{s})
	}
	p, g := transformer.NewPass(m, a), transformer.NewGrads(a.Params())
	for _, bm := range []struct {
		name  string
		parts [][]transformer.Sequence
	}{{"one bundle", [][]transformer.Sequence{one}}, {"one by one", all}} {
		b.Run(bm.name, func(b *testing.B) {
			step := func() {
				for i, s := range bm.parts {
					p.Forward(s, 1)
					p.Backward(dlogp[i:i+len(s)], nil, g)
				}
			}
			step()
			before := processorTime(b)
			for b.Loop() {
				step()
			}
			report(b, before, group*length)
		})
	}
}

// BenchmarkPretrainedDecode samples 32 conversations at once that begin with the same 400 tokens, which are read once, and
// go on for 60 each, on all processors.
func BenchmarkPretrainedDecode(b *testing.B) {
	eachPrecision(b, func(b *testing.B, m *transformer.Model) {
		const slots, shared, length = 32, 400, 60
		d := transformer.NewDecoder(m, slots, runtime.GOMAXPROCS(0))
		talk := func() {
			rows := make([]transformer.Row, shared)
			for i := range rows {
				rows[i] = transformer.Row{Pos: i, Token: int32(i)}
			}
			d.Step(rows)
			rows = rows[:slots]
			for s := range rows {
				if s > 0 {
					d.Share(0, s, shared)
				}
				rows[s] = transformer.Row{Slot: s, Pos: shared, Token: int32(s), Want: true}
			}
			for range length {
				for s, logits := range d.Step(rows) {
					rows[s].Pos++
					rows[s].Token = likeliest(logits)
				}
			}
		}
		talk()
		before := processorTime(b)
		for b.Loop() {
			talk()
		}
		report(b, before, slots*length)
	})
}

func likeliest(logits []float32) int32 {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return int32(best)
}

// report tells tokens a second by the clock, and by the processor's time, which other work on the machine disturbs less.
func report(b *testing.B, before time.Duration, tokens int) {
	all := float64(tokens) * float64(b.N)
	b.ReportMetric(all/b.Elapsed().Seconds(), "tok/s")
	b.ReportMetric(all/(processorTime(b)-before).Seconds(), "tok/cpu-s")
	b.ReportMetric(0, "ns/op")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

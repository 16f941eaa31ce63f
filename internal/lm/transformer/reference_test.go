package transformer

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// reference is the architecture written down a second time, plainly and in float64: what Forward should give at every
// position, and the logits there.
func reference(m *Model, tokens []int32, temperature float64) (logp, entropy []float64, logits [][]float64) {
	c := m.Config
	weights := map[string]Param{}
	for _, p := range m.Params() {
		weights[p.Name] = p
	}
	times := func(name string, x []float64) []float64 {
		w, bias := weights[name], weights[strings.TrimSuffix(name, "weight")+"bias"].Data
		y := make([]float64, w.Shape[0])
		for o := range y {
			if bias != nil {
				y[o] = float64(bias[o])
			}
			for i, v := range x {
				y[o] += float64(w.Data[o*w.Shape[1]+i]) * v
			}
		}
		return y
	}
	norm := func(name string, x []float64) []float64 {
		s := 0.0
		for _, v := range x {
			s += v * v
		}
		y := make([]float64, len(x))
		for i, v := range x {
			y[i] = v / math.Sqrt(s/float64(len(x))+c.NormEps) * float64(weights[name].Data[i])
		}
		return y
	}
	softmax := func(x []float64) []float64 {
		y, s, top := make([]float64, len(x)), 0.0, slices.Max(x)
		for i, v := range x {
			y[i] = math.Exp(v - top)
			s += y[i]
		}
		for i := range y {
			y[i] /= s
		}
		return y
	}
	W := c.Dim / c.Heads
	turn := func(x []float64, pos int) {
		for h := range len(x) / W {
			for i := range W / 2 {
				angle := float64(pos) * math.Pow(c.RopeBase, -2*float64(i)/float64(W))
				a, b := x[h*W+i], x[h*W+i+W/2]
				x[h*W+i] = a*math.Cos(angle) - b*math.Sin(angle)
				x[h*W+i+W/2] = b*math.Cos(angle) + a*math.Sin(angle)
			}
		}
	}
	var stream [][]float64
	for _, t := range tokens {
		row := make([]float64, c.Dim)
		for j := range row {
			row[j] = float64(weights["model.embed_tokens.weight"].Data[int(t)*c.Dim+j])
		}
		stream = append(stream, row)
	}
	for li := range c.Layers {
		at := "model.layers." + string(rune('0'+li)) + "."
		var q, k, v [][]float64
		for pos, x := range stream {
			n := norm(at+"input_layernorm.weight", x)
			q, k, v = append(q, times(at+"self_attn.q_proj.weight", n)), append(k, times(at+"self_attn.k_proj.weight", n)),
				append(v, times(at+"self_attn.v_proj.weight", n))
			turn(q[pos], pos)
			turn(k[pos], pos)
		}
		for pos, x := range stream {
			mixed := make([]float64, c.Dim)
			for h := range c.Heads {
				scores := make([]float64, pos+1)
				read := h * c.KVHeads / c.Heads * W
				for j := range scores {
					for i := range W {
						scores[j] += q[pos][h*W+i] * k[j][read+i] / math.Sqrt(float64(W))
					}
				}
				for j, p := range softmax(scores) {
					for i := range W {
						mixed[h*W+i] += p * v[j][read+i]
					}
				}
			}
			for i, y := range times(at+"self_attn.o_proj.weight", mixed) {
				x[i] += y
			}
			n := norm(at+"post_attention_layernorm.weight", x)
			gate, up := times(at+"mlp.gate_proj.weight", n), times(at+"mlp.up_proj.weight", n)
			for i, g := range gate {
				up[i] *= g / (1 + math.Exp(-g))
			}
			for i, y := range times(at+"mlp.down_proj.weight", up) {
				x[i] += y
			}
		}
	}
	head := "model.embed_tokens.weight"
	if c.Untied {
		head = "lm_head.weight"
	}
	for pos, x := range stream {
		z := times(head, norm("model.norm.weight", x))
		logits = append(logits, z)
		if pos+1 == len(tokens) {
			break
		}
		hot := slices.Clone(z)
		for i := range hot {
			hot[i] /= temperature
		}
		p, e := softmax(hot), 0.0
		for _, v := range p {
			e -= v * math.Log(v)
		}
		logp, entropy = append(logp, math.Log(p[tokens[pos+1]])), append(entropy, e)
	}
	return logp, entropy, logits
}

func TestPassAndDecoderComputeTheArchitecture(t *testing.T) {
	for _, tt := range []struct {
		name        string
		c           Config
		n           int
		temperature float32
	}{
		{"tiny", tiny(), 40, 1},
		{"hot", tiny(), 20, 1.9},
		{"cold", tiny(), 20, 0.3},
		{"heads of 32", Config{Vocab: 40, Dim: 64, Heads: 2, Layers: 2, Hidden: 48, Context: 300}, 140, 1},
		{"heads of 64, other base", Config{Vocab: 40, Dim: 64, Heads: 1, Layers: 1, Hidden: 20, Context: 64, RopeBase: 500, NormEps: 1e-3}, 50, 1},
		{"shared keys and values", grouped(), 40, 1},
		{"biases, an output of its own", qwen(), 40, 1},
		{"two tokens", tiny(), 2, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New(tt.c, 3)
			// Weights that matter: bigger than a new model's, and norms that are not all one.
			for i, p := range m.Params() {
				for j, w := range weights(len(p.Data), uint64(i)) {
					p.Data[j] += 0.1 * w
				}
			}
			tokens, want := sequence(m.Config, tt.n, 4)
			logp, entropy, logits := reference(m, tokens, float64(tt.temperature))
			gotP, gotE := forward(NewPass(m, nil), tokens, want, tt.temperature)
			for i := range gotP {
				p, e := logp[i], entropy[i]
				if !want[i] {
					p, e = 0, 0
				}
				if math.Abs(float64(gotP[i])-p) > 1e-4 || math.Abs(float64(gotE[i])-e) > 1e-4 {
					t.Fatalf("position %d: log-probability %v and entropy %v, want %v and %v", i, gotP[i], gotE[i], p, e)
				}
			}
			d := NewDecoder(m, 1, 1)
			for i, tok := range tokens {
				for j, z := range d.Step([]Row{{Pos: i, Token: tok, Want: true}})[0] {
					if math.Abs(float64(z)-logits[i][j]) > 1e-4 {
						t.Fatalf("position %d: logit %d is %v, want %v", i, j, z, logits[i][j])
					}
				}
			}
		})
	}
}

package optim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

func params() []transformer.Param {
	m := transformer.New(transformer.Config{Vocab: 20, Dim: 8, Heads: 2, Layers: 1, Hidden: 12, Context: 16}, 1)
	return m.Params()
}

// gradient is a made-up gradient of a step.
func gradient(ps []transformer.Param, step int) *transformer.Grads {
	g := transformer.NewGrads(ps)
	rng := rand.New(rand.NewPCG(uint64(step), 3))
	for _, d := range g.Data {
		for i := range d {
			d[i] = float32(rng.NormFloat64())
		}
	}
	return g
}

var decaying = optim.AdamW{Decay: 0.1}

func run(o *optim.Optimizer, ps []transformer.Param, from, to int) {
	for i := from; i < to; i++ {
		g := gradient(ps, i)
		optim.Clip(g, 1)
		o.Step(g, optim.Cosine(i, 10, 2, 1e-2, 1e-3))
	}
}

func TestASavedRunContinuesToTheSameBits(t *testing.T) {
	straight := params()
	run(optim.New(straight, decaying), straight, 0, 10)

	first := params()
	o := optim.New(first, decaying)
	run(o, first, 0, 5)
	saved := o.State()
	weights := params()
	for i := range weights {
		copy(weights[i].Data, first[i].Data)
	}
	run(o, first, 5, 7) // what is saved is a copy: continuing does not change it
	slices.Reverse(saved.Moments)
	again := optim.New(weights, decaying)
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	run(again, weights, 5, 10)
	for i := range straight {
		for j, v := range straight[i].Data {
			if math.Float32bits(v) != math.Float32bits(weights[i].Data[j]) {
				t.Fatalf("%s[%d] is %v after a restart, %v without", straight[i].Name, j, weights[i].Data[j], v)
			}
		}
	}
}

// TestStepIsAdamW compares with the formula written down again in float64.
func TestStepIsAdamW(t *testing.T) {
	ps := params()
	c := optim.AdamW{Beta1: 0.8, Beta2: 0.95, Eps: 1e-6, Decay: 0.2}
	o := optim.New(ps, c)
	want, m, v := [][]float64{}, [][]float64{}, [][]float64{}
	for _, p := range ps {
		w := make([]float64, len(p.Data))
		for i, x := range p.Data {
			w[i] = float64(x)
		}
		want, m, v = append(want, w), append(m, make([]float64, len(w))), append(v, make([]float64, len(w)))
	}
	for step := 1; step <= 6; step++ {
		g := gradient(ps, step)
		const rate = 0.01
		o.Step(g, rate)
		for i, p := range ps {
			decay := 0.0
			if len(p.Shape) == 2 {
				decay = c.Decay
			}
			for j, x := range g.Data[i] {
				m[i][j] = c.Beta1*m[i][j] + (1-c.Beta1)*float64(x)
				v[i][j] = c.Beta2*v[i][j] + (1-c.Beta2)*float64(x)*float64(x)
				mh, vh := m[i][j]/(1-math.Pow(c.Beta1, float64(step))), v[i][j]/(1-math.Pow(c.Beta2, float64(step)))
				want[i][j] -= rate * (mh/(math.Sqrt(vh)+c.Eps) + decay*want[i][j])
			}
		}
	}
	for i, p := range ps {
		for j, x := range p.Data {
			if math.Abs(float64(x)-want[i][j]) > 2e-6 {
				t.Fatalf("%s[%d] = %v, want %v", p.Name, j, x, want[i][j])
			}
		}
	}
}

func TestRestoreNamesWhatDoesNotFit(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(s *optim.State)
		want  string
	}{
		{"missing", func(s *optim.State) { s.Moments[3].Name = "x" }, "no tensor model.layers.0.input_layernorm.weight.exp_avg_sq"},
		{"shape", func(s *optim.State) { s.Moments[0].Shape = []int{8, 20} }, "model.embed_tokens.weight.exp_avg is [8 20]"},
		{"length", func(s *optim.State) { s.Moments[0].Data = nil }, "with 0 values"},
		{"fewer", func(s *optim.State) { s.Moments = s.Moments[2:] }, "tensors, want"},
		{"steps", func(s *optim.State) { s.Step = -1 }, "-1 steps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ps := params()
			o := optim.New(ps, optim.AdamW{})
			run(o, ps, 0, 1)
			s, before := o.State(), o.State()
			for i := range s.Moments {
				clear(s.Moments[i].Data)
			}
			tt.spoil(&s)
			if err := o.Restore(s); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
			if diff := cmp.Diff(before, o.State()); diff != "" {
				t.Errorf("a failed restore changed the optimizer: %s", diff)
			}
		})
	}
}

func TestClip(t *testing.T) {
	ps := params()
	g := gradient(ps, 1)
	before := g.Norm()
	if got := optim.Clip(g, 0); got != before || g.Norm() != before {
		t.Errorf("no clip: norm %v, then %v, want %v", got, g.Norm(), before)
	}
	if got := optim.Clip(g, before+1); got != before || g.Norm() != before {
		t.Errorf("a wide clip: norm %v, then %v, want %v", got, g.Norm(), before)
	}
	if got := optim.Clip(g, 0.5); got != before || math.Abs(g.Norm()-0.5) > 1e-6 {
		t.Errorf("a clip to 0.5: norm %v, then %v", got, g.Norm())
	}
	g.Data[0][0] = float32(math.NaN())
	if got := optim.Clip(g, 0.5); !math.IsNaN(got) {
		t.Errorf("norm of a gradient that is not a number: %v", got)
	}
}

func TestSchedules(t *testing.T) {
	const total, warm = 10, 2
	for _, tt := range []struct {
		step                     int
		cosine, linear, constant float64
	}{
		{0, 0.5, 0.5, 0.5}, {1, 1, 1, 1}, {2, 1, 1, 1}, {6, 0.55, 0.55, 1}, {10, 0.1, 0.1, 1}, {99, 0.1, 0.1, 1},
		{4, 0.1 + 0.9*0.5*(1+math.Sqrt2/2), 0.1 + 0.9*0.75, 1},
	} {
		got := []float64{optim.Cosine(tt.step, total, warm, 1, 0.1), optim.Linear(tt.step, total, warm, 1, 0.1), optim.Constant(tt.step, warm, 1)}
		for i, want := range []float64{tt.cosine, tt.linear, tt.constant} {
			if math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("schedule %d at step %d: %v, want %v", i, tt.step, got[i], want)
			}
		}
	}
	if got := optim.Cosine(3, 3, 5, 1, 0); got != 0.8 {
		t.Errorf("a warm-up longer than the whole: %v", got)
	}
}

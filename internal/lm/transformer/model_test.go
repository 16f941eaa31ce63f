package transformer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParamsAreNamedAsHuggingFaceNamesThem(t *testing.T) {
	describe := func(ps []Param) (lines []string) {
		for _, p := range ps {
			n := 1
			for _, s := range p.Shape {
				n *= s
			}
			if n != len(p.Data) {
				t.Errorf("%s: %d values in %v", p.Name, len(p.Data), p.Shape)
			}
			lines = append(lines, fmt.Sprint(p.Name, p.Shape))
		}
		return lines
	}
	c := Config{Vocab: 9, Dim: 4, Layers: 1, Heads: 2, Hidden: 6}
	want := []string{
		"model.embed_tokens.weight[9 4]", "model.layers.0.input_layernorm.weight[4]",
		"model.layers.0.self_attn.q_proj.weight[4 4]", "model.layers.0.self_attn.k_proj.weight[4 4]", "model.layers.0.self_attn.v_proj.weight[4 4]", "model.layers.0.self_attn.o_proj.weight[4 4]",
		"model.layers.0.post_attention_layernorm.weight[4]",
		"model.layers.0.mlp.gate_proj.weight[6 4]", "model.layers.0.mlp.up_proj.weight[6 4]", "model.layers.0.mlp.down_proj.weight[4 6]",
		"model.norm.weight[4]",
	}
	if diff := cmp.Diff(want, describe(New(c, 1).Params())); diff != "" {
		t.Error(diff)
	}
	at := "base_model.model.model.layers.0."
	want = nil
	for _, group := range []string{"self_attn.q_proj self_attn.k_proj self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj mlp.up_proj",
		"mlp.down_proj"} {
		maps := strings.Fields(group)
		for _, m := range maps {
			want = append(want, fmt.Sprint(at, m, ".lora_A.weight[3 ", map[bool]int{true: 6, false: 4}[m == "mlp.down_proj"], "]"))
		}
		for _, m := range maps {
			want = append(want, fmt.Sprint(at, m, ".lora_B.weight[",
				map[bool]int{true: 6, false: 4}[strings.HasPrefix(m, "mlp") && m != "mlp.down_proj"], " 3]"))
		}
	}
	if diff := cmp.Diff(want, describe(NewAdapter(c, 3, 6, 1).Params())); diff != "" {
		t.Error(diff)
	}
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		c    Config
		want int
	}{{Small(), 935_040}, {Medium(), 2_853_312}, {Large(), 6_689_024}, {Config{}, 935_040}} {
		m, n := New(tt.c, 1), 0
		for _, p := range m.Params() {
			n += len(p.Data)
		}
		if n != tt.want || tt.c.Size() != tt.want {
			t.Errorf("%d parameters and a Size of %d, want %d", n, tt.c.Size(), tt.want)
		}
		if w := m.Config.HeadDim(); w != 32 {
			t.Errorf("heads of %d", w)
		}
	}
}

func TestASeedMakesOneModel(t *testing.T) {
	a, b, c := New(tiny(), 1), New(tiny(), 1), New(tiny(), 2)
	if !slices.Equal(a.flat, b.flat) || slices.Equal(a.flat, c.flat) {
		t.Error("models of equal seeds differ, or of unequal ones do not")
	}
	x, y, z := NewAdapter(tiny(), 2, 4, 1), NewAdapter(tiny(), 2, 4, 1), NewAdapter(tiny(), 2, 4, 2)
	if !slices.Equal(x.flat, y.flat) || slices.Equal(x.flat, z.flat) {
		t.Error("adapters of equal seeds differ, or of unequal ones do not")
	}
	// A copy is a copy.
	d, w := a.Clone(), x.Clone()
	clear(d.flat)
	clear(w.flat)
	if !slices.Equal(a.flat, b.flat) || !slices.Equal(x.flat, y.flat) {
		t.Error("a change of a copy changed what it is a copy of")
	}
}

// TestMergeAddsTheProduct compares with W + alpha/r * B A written out.
func TestMergeAddsTheProduct(t *testing.T) {
	c := tiny()
	m, a := New(c, 1), busy(NewAdapter(c, 3, 6, 2))
	lora := map[string]Param{}
	for _, p := range a.Params() {
		lora[p.Name] = p
	}
	before := slices.Clone(m.flat)
	merged := m.Merge(a)
	if !slices.Equal(before, m.flat) {
		t.Error("a merge changed the model it began with")
	}
	changed := 0
	for i, p := range merged.Params() {
		name := "base_model.model." + strings.TrimSuffix(p.Name, "weight")
		A, ok := lora[name+"lora_A.weight"]
		B := lora[name+"lora_B.weight"]
		if ok {
			changed++
		}
		for j, got := range p.Data {
			want := float64(m.Params()[i].Data[j])
			if ok {
				row, col := j/p.Shape[1], j%p.Shape[1]
				for r := range a.Rank {
					want += a.Alpha / float64(a.Rank) * float64(B.Data[row*a.Rank+r]) * float64(A.Data[r*p.Shape[1]+col])
				}
			}
			if d := float64(got) - want; d > 1e-5 || d < -1e-5 {
				t.Fatalf("%s[%d] = %v, want %v", p.Name, j, got, want)
			}
		}
	}
	if want := 7 * c.Layers; changed != want {
		t.Errorf("%d maps were changed, want %d", changed, want)
	}
	if got := m.Merge(nil); !slices.Equal(got.flat, m.flat) || &got.flat[0] == &m.flat[0] {
		t.Error("a merge with no adapter is not a copy")
	}
	mustPanic(t, "another shape", func() { m.Merge(NewAdapter(Small(), 3, 6, 2)) })
}

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		c    Config
		want string
	}{
		{Config{}, ""},
		{Large(), ""},
		{Config{Vocab: -1}, "vocabulary is -1"},
		{Config{Vocab: 1 << 40}, "vocabulary is 1099511627776"},
		{Config{Dim: 1 << 13}, "width is 8192"},
		{Config{Layers: 129}, "number of layers is 129"},
		{Config{Heads: -4}, "number of heads is -4"},
		{Config{Hidden: -1}, "hidden width is -1"},
		{Config{Context: 1 << 17}, "context is 131072"},
		{Config{Dim: 130}, "does not divide into 4 heads"},
		{Config{Dim: 12, Heads: 4}, "heads of an even width"},
		{Config{RopeBase: -1}, "base of the rotary"},
		{Config{NormEps: 2}, "epsilon of the norms is 2"},
		{Config{Dim: 4096, Layers: 128, Heads: 64, Hidden: 16384}, "parameters are more than"},
	} {
		err := tt.c.Validate()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.c, err, tt.want)
		}
	}
	mustPanic(t, "vocabulary is -1", func() { New(Config{Vocab: -1}, 1) })
	mustPanic(t, "rank 0", func() { NewAdapter(Config{}, 0, 1, 1) })
	mustPanic(t, "rank 257", func() { NewAdapter(Config{}, 257, 1, 1) })
}

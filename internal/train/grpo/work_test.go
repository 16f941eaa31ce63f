package grpo

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

// bits are what JSON has no number for, and what is easily lost.
var bits = []float64{math.Float64frombits(0x7ff8_0000_0000_1234), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0.1, 5e-324,
	math.MaxFloat64, 1. / 3}

// same64 tells numbers apart by their bits.
var same64 = cmp.Options{
	cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }),
	cmp.Comparer(func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }),
}

func TestPerformedIsExact(t *testing.T) {
	logp := []float32{0, math.Float32frombits(0x7fc0_0001), float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 1e-45, -0.1}
	for _, f := range bits {
		p := Performed{
			Rollouts: []Rollout{
				{Reward: f, Entropy: f, Metrics: map[string]float64{"a": f, "": 1}, Turns: 1, Cut: 2, Written: 3, Over: true},
				{Metrics: map[string]float64{}, Segments: []train.Segment{}},
				{Segments: []train.Segment{{}, {Tokens: []int32{}, Own: []bool{}, LogP: []float32{}},
					{Tokens: []int32{1, math.MaxInt32, 0, 7, 8, 9}, Own: []bool{false, true, true, true, true, true}, LogP: logp}}},
			},
			Failures: []Failure{{"a \"fault\"\n<", "help"}, {}}, Unmade: "é",
		}
		if d := cmp.Diff(p, through(t, p), same64); d != "" {
			t.Errorf("%g: %s", f, d)
		}
	}
	for _, p := range []Performed{{}, {Rollouts: []Rollout{}, Failures: []Failure{}}} {
		if d := cmp.Diff(p, through(t, p)); d != "" {
			t.Error(d)
		}
	}
	w := Work{Luck: math.MinInt64, Policy: []uint64{math.MaxUint64, 1<<53 + 1}, Temperature: 0.1, Name: "é"}
	if d := cmp.Diff(w, through(t, w)); d != "" {
		t.Error(d)
	}
	for name, s := range map[string]train.Segment{
		"lengths":  {Tokens: []int32{1}, Own: []bool{true}},
		"negative": {Tokens: []int32{-1}, Own: []bool{true}, LogP: []float32{0}},
		"given":    {Tokens: []int32{1}, Own: []bool{false}, LogP: []float32{1}},
	} {
		if data, err := json.Marshal(Rollout{Segments: []train.Segment{s}}); err == nil {
			t.Errorf("%s: %s", name, data)
		}
	}
}

func TestCutShort(t *testing.T) {
	for _, segment := range []string{"AQAA", "AQAAgA==", "AQAAgAAA", "?"} {
		var r Rollout
		if err := json.Unmarshal([]byte(`{"segments":["`+segment+`"]}`), &r); err == nil {
			t.Errorf("%s is %+v", segment, r)
		}
	}
}

// TestNotLearntFrom has no result reach a model that it would make panic.
func TestNotLearntFrom(t *testing.T) {
	shape := transformer.Config{Vocab: 10, Context: 4}
	segment := func(logp float32, tokens ...int32) Rollout {
		s := train.Segment{Tokens: tokens, Own: make([]bool, len(tokens)), LogP: make([]float32, len(tokens))}
		s.LogP[0] = logp
		return Rollout{Segments: []train.Segment{s}}
	}
	for name, c := range map[string]struct {
		p    Performed
		want string
	}{
		"good":         {Performed{Rollouts: []Rollout{segment(-1, 9, 0)}}, ""},
		"a failure":    {Performed{Failures: []Failure{{}}}, ""},
		"nothing":      {Performed{}, "0 rollouts were played, not 1"},
		"too many":     {Performed{Rollouts: make([]Rollout, 2)}, "2 rollouts were played"},
		"one and one":  {Performed{Rollouts: make([]Rollout, 1), Failures: make([]Failure, 1)}, "2 rollouts were played"},
		"token":        {Performed{Rollouts: []Rollout{segment(0, 1, 10)}}, "the token 10 is not"},
		"negative":     {Performed{Rollouts: []Rollout{segment(0, -1)}}, "the token -1 is not"},
		"long":         {Performed{Rollouts: []Rollout{segment(0, 1, 2, 3, 4, 5)}}, "5 tokens is longer"},
		"logp":         {Performed{Rollouts: []Rollout{segment(float32(math.NaN()), 1)}}, "log-probability"},
		"reward":       {Performed{Rollouts: []Rollout{{Reward: math.NaN()}}}, "reward"},
		"counts":       {Performed{Rollouts: []Rollout{{Written: -1}}}, "counts"},
		"nothing made": {Performed{Unmade: "no"}, ""},
	} {
		err := c.p.check(Work{Policy: []uint64{1}}, shape)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzPerformed(f *testing.F) {
	f.Add([]byte(`{"rollouts":[{"reward":"7ff8000000000001","metrics":{"a":1},"segments":["AQAAAAEAAIAAAIA/",null,""]},null]}`))
	f.Add([]byte(`{"rollouts":[{"segments":["AQAAgA=="]}]}`))
	f.Add([]byte(`{"rollouts":[{"reward":"x","entropy":1e999}]}`))
	shape := transformer.Config{Vocab: 10, Context: 4}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p, again Performed
		if json.Unmarshal(data, &p) != nil {
			return
		}
		_ = p.check(Work{Policy: []uint64{1}}, shape)
		text, err := json.Marshal(p)
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if d := cmp.Diff(p, again, same64); d != "" || err != nil {
			t.Error(d, err)
		}
	})
}

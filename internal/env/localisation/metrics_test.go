package localisation

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// files measures files alone.
func files(gold, found []string) map[string]float64 {
	return Measure(Answer{Files: gold}, Answer{Files: found})
}

// TestMeasure has every value worked out by hand from its formula.
func TestMeasure(t *testing.T) {
	second, third := 1/math.Log2(3), 1/math.Log2(4)
	for name, c := range map[string]struct {
		gold, found []string
		want        map[string]float64
	}{
		"first": {[]string{"a"}, []string{"a", "b"}, map[string]float64{"acc@1": 1, "recall@1": 1, "ndcg@1": 1, "acc@10": 1, "map": 1, "mrr": 1}},
		"second": {[]string{"a"}, []string{"b", "a"},
			map[string]float64{"acc@1": 0, "acc@3": 1, "ndcg@1": 0, "ndcg@3": second, "ndcg@10": second, "recall@1": 0, "recall@5": 1, "map": 0.5, "mrr": 0.5}},
		"sixth": {[]string{"a"}, []string{"b", "c", "d", "e", "f", "a"},
			map[string]float64{"acc@5": 0, "acc@10": 1, "ndcg@5": 0, "ndcg@10": 1 / math.Log2(7), "map": 1.0 / 6}},
		"eleventh":   {[]string{"k"}, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}, map[string]float64{"acc@10": 0, "recall@10": 0, "ndcg@10": 0, "map": 1.0 / 11}},
		"none found": {[]string{"a"}, nil, map[string]float64{"acc@10": 0, "recall@10": 0, "ndcg@10": 0, "map": 0, "mrr": 0}},
		"all of two, not some": {[]string{"a", "b"}, []string{"a", "c", "b"},
			map[string]float64{"acc@1": 0, "recall@1": 0.5, "ndcg@1": 1, "acc@3": 1, "recall@3": 1, "ndcg@3": (1 + third) / (1 + second), "map": (1 + 2.0/3) / 2, "mrr": 1}},
		"one of two": {[]string{"a", "b"}, []string{"a"}, map[string]float64{"acc@10": 0, "recall@10": 0.5, "ndcg@5": 1 / (1 + second), "map": 0.5}},
		"repetition": {[]string{"a"}, []string{"b", "b", "b", "a"}, map[string]float64{"acc@1": 0, "acc@3": 1, "ndcg@3": second, "map": 0.5}},
		"gold twice": {[]string{"a", "a"}, []string{"a"}, map[string]float64{"acc@1": 1, "recall@1": 1, "ndcg@3": 1, "map": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			got := files(c.gold, c.found)
			if len(got) != 14 {
				t.Errorf("%d metrics, want 14", len(got))
			}
			for metric, want := range c.want {
				if v, ok := got[metric]; !ok || math.Abs(v-want) > 1e-12 {
					t.Errorf("%s = %v, want %v", metric, v, want)
				}
			}
		})
	}
	for metric, v := range files(nil, []string{"a"}) {
		if !math.IsNaN(v) {
			t.Errorf("without gold files %s = %v, want NaN", metric, v)
		}
	}
}

// TestMeasureLevels has functions measured as files are, lines by the ranges that hold them, and what has no gold not at all.
func TestMeasureLevels(t *testing.T) {
	gold := Answer{[]string{"a"}, []string{"a::f", "a::g"}, []Range{{"a", 10, 12}, {"b", 5, 5}}}
	found := Answer{[]string{"a"}, []string{"a::g", "a::x", "a::f"}, []Range{{"a", 11, 500}, {"a", 1, 10}, {"b", 1, 4}, {"b", 5, 9}}}
	got := Measure(gold, found)
	for name, want := range map[string]float64{"acc@1": 1, "function_acc@1": 0, "function_acc@3": 1,
		"function_recall@1": 0.5, "function_mrr": 1,
		"line_recall@1": 0.5, "line_acc@1": 0, "line_recall@3": 0.75, "line_acc@3": 0, "line_recall@5": 1, "line_acc@5": 1} {
		if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
	if len(got) != len(MetricNames()) {
		t.Errorf("%d metrics, want %d", len(got), len(MetricNames()))
	}
	wide := Measure(gold, Answer{Ranges: []Range{{"a", 1, 9999}, {"b", 1, 9999}}})
	late := Measure(Answer{Ranges: []Range{{"a", 101, 101}}}, Answer{Ranges: []Range{{"a", 1, 9999}}})
	if wide["line_acc@3"] != 1 || late["line_recall@10"] != 0 {
		t.Errorf("whole files: %v, and behind their hundredth line %v", wide["line_acc@3"], late["line_recall@10"])
	}
}

// TestMeasureProperties: values lie between 0 and 1, more room never hurts, and a better ranking is never worse.
func TestMeasureProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 1, 20, rapid.ID).Draw(t, "files")
		var paths []string
		for _, n := range names {
			paths = append(paths, fmt.Sprint("f", n))
		}
		gold := paths[:rapid.IntRange(1, len(paths)).Draw(t, "gold")]
		found := rapid.Permutation(paths).Draw(t, "found")
		m := files(gold, found)
		for name, v := range m {
			if v < 0 || v > 1+1e-12 || math.IsNaN(v) {
				t.Fatalf("%s = %v", name, v)
			}
		}
		for i, k := range Ks() {
			if acc := m[Metric("acc", k)]; acc > m[Metric("recall", k)] {
				t.Fatalf("acc@%d = %v is above recall", k, acc)
			}
			if i > 0 {
				for _, name := range []string{"acc", "recall"} {
					if m[Metric(name, k)] < m[Metric(name, Ks()[i-1])] {
						t.Fatalf("%s falls from %d to %d", name, Ks()[i-1], k)
					}
				}
			}
		}
		if at := slices.IndexFunc(found, func(f string) bool { return slices.Contains(gold, f) }); at > 0 {
			better := slices.Clone(found)
			better[at-1], better[at] = better[at], better[at-1]
			for name, v := range files(gold, better) {
				if v < m[name]-1e-12 {
					t.Fatalf("%s falls from %v to %v when %s rises a place", name, m[name], v, found[at])
				}
			}
		}
	})
}

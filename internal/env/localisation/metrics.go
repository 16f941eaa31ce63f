package localisation

import (
	"fmt"
	"math"
	"slices"
)

// Ks are the cut-offs of the metrics.
func Ks() []int { return []int{1, 3, 5, 10} }

// Names of the metrics without a cut-off, and what stands before those of functions and of lines.
const (
	MAP           = "map"
	MRR           = "mrr"
	FunctionLevel = "function_"
	LineLevel     = "line_"
)

// Metric names a metric at a cut-off, as "acc@5".
func Metric(name string, k int) string { return fmt.Sprintf("%s@%d", name, k) }

// MetricNames lists the metrics in the order in which they are shown: those of files, of functions, of lines.
func MetricNames() []string {
	files := append(at("", "acc", "recall", "ndcg"), MAP, MRR)
	functions := append(at(FunctionLevel, "acc", "recall", "ndcg"), FunctionLevel+MAP, FunctionLevel+MRR)
	return slices.Concat(files, functions, at(LineLevel, "acc", "recall"))
}

func at(prefix string, metrics ...string) (names []string) {
	for _, name := range metrics {
		for _, k := range Ks() {
			names = append(names, prefix+Metric(name, k))
		}
	}
	return names
}

// Measure compares what was found with the gold at each level where there is gold: files, functions, lines.
func Measure(gold, found Answer) map[string]float64 {
	m := map[string]float64{}
	measure(m, "", gold.Files, found.Files)
	if len(gold.Functions) > 0 {
		measure(m, FunctionLevel, gold.Functions, found.Functions)
	}
	if len(gold.Ranges) > 0 {
		measureLines(m, gold.Ranges, found.Ranges)
	}
	return m
}

// measure compares a ranking with what it should hold. What is found twice counts at its first place only. With rel(i) = 1 for
// gold at rank i (from 1), else 0, and G golds:
//
//	acc@k     1 when all gold is among the first k (LocAgent's), not only some
//	recall@k  share of the gold among the first k
//	ndcg@k    sum of rel(i)/log2(i+1) up to k, over that of the best ranking, gold first
//	map       average precision: sum of rel(i) x precision@i, over G; the mean over records is MAP
//	mrr       1/rank of the first gold, 0 where none is found; the mean over records is MRR
//
// Without gold nothing is measured: all are NaN.
func measure(m map[string]float64, prefix string, gold, found []string) {
	want, rank := distinct(gold), distinct(found)
	total := float64(len(want))
	for _, k := range Ks() {
		hits, gain, best := 0.0, 0.0, 0.0
		for i := range k {
			if i < len(want) {
				best += discount(i)
			}
			if i < len(rank) && slices.Contains(want, rank[i]) {
				hits++
				gain += discount(i)
			}
		}
		m[prefix+Metric("acc", k)], m[prefix+Metric("recall", k)], m[prefix+Metric("ndcg", k)] = all(hits, total), hits/total, gain/best
	}
	hits, sum, first := 0.0, 0.0, 0.0
	for i, f := range rank {
		if slices.Contains(want, f) {
			hits++
			sum += hits / float64(i+1)
			first = max(first, 1/float64(i+1))
		}
	}
	m[prefix+MAP], m[prefix+MRR] = sum/total, (first*total)/total
}

// all is 1 where everything was found, NaN where there was nothing to find.
func all(hits, total float64) float64 {
	switch {
	case total == 0:
		return math.NaN()
	case hits == total:
		return 1
	}
	return 0
}

// measureLines compares ranges with the gold lines, each of which counts as one:
//
//	line_recall@k  share of the gold lines that lie in one of the first k ranges
//	line_acc@k     1 when all of them do
//
// A range counts up to 100 lines (maxRange), so naming whole files finds little.
func measureLines(m map[string]float64, gold, found []Range) {
	for _, k := range Ks() {
		hits, total := 0.0, 0.0
		for _, g := range gold {
			for line := g.Line; line <= g.EndLine; line++ {
				total++
				if slices.ContainsFunc(found[:min(k, len(found))], func(r Range) bool {
					return r.File == g.File && r.Line <= line && line <= min(r.EndLine, r.Line+maxRange-1)
				}) {
					hits++
				}
			}
		}
		m[LineLevel+Metric("acc", k)], m[LineLevel+Metric("recall", k)] = all(hits, total), hits/total
	}
}

// distinct is a list without its repetitions.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// discount is the weight of the rank i+1.
func discount(i int) float64 { return 1 / math.Log2(float64(i+2)) }

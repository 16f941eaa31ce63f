package localisation

import (
	"fmt"
	"math"
	"slices"
)

// Ks are the cut-offs of the metrics.
func Ks() []int { return []int{1, 3, 5, 10} }

// MAP is the name of mean average precision.
const MAP = "map"

// Metric names a metric at a cut-off, as "acc@5".
func Metric(name string, k int) string { return fmt.Sprintf("%s@%d", name, k) }

// MetricNames lists the metrics in the order in which they are shown.
func MetricNames() []string {
	var names []string
	for _, name := range []string{"acc", "recall", "ndcg"} {
		for _, k := range Ks() {
			names = append(names, Metric(name, k))
		}
	}
	return append(names, MAP)
}

// Measure compares a ranking with the gold files. A file that is found twice counts at its first place only. With
// rel(i) = 1 for a gold file at rank i (from 1), else 0, and G gold files:
//
//	acc@k     1 when all gold files are among the first k (LocAgent's), not only some
//	recall@k  share of the gold files among the first k
//	ndcg@k    sum of rel(i)/log2(i+1) up to k, over that of the best ranking, gold files first
//	map       average precision: sum of rel(i) x precision@i, over G; the mean over records is MAP
//
// Without a gold file nothing is measured: all are NaN.
func Measure(gold, found []string) map[string]float64 {
	want, rank := distinct(gold), distinct(found)
	m := map[string]float64{}
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
		acc := 0.0
		if hits == total {
			acc = 1
		}
		if total == 0 {
			acc = math.NaN()
		}
		m[Metric("acc", k)], m[Metric("recall", k)], m[Metric("ndcg", k)] = acc, hits/total, gain/best
	}
	hits, sum := 0.0, 0.0
	for i, f := range rank {
		if slices.Contains(want, f) {
			hits++
			sum += hits / float64(i+1)
		}
	}
	m[MAP] = sum / total
	return m
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

package eval

import (
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// Results are the rows of an eval without their texts: a few hundred bytes a rollout.
type Results struct {
	names   []string // of metrics, in the order in which they were met
	index   map[string]int
	strings map[string]string // texts that repeat, kept once
	records []Record
}

// add takes in a row. One that is there already, of the same example and rollout, is replaced.
func (r *Results) add(row savedrow.Row) {
	rec, metrics := Record{Row: row}, row.Metrics
	rec.Metrics, rec.Parts = nil, nil
	if math.IsNaN(rec.Input + rec.Output) { // one count alone says nothing here
		rec.Input, rec.Output = math.NaN(), math.NaN()
	}
	if r.index == nil {
		r.index, r.strings = map[string]int{}, map[string]string{}
	}
	for _, s := range []*string{&rec.Task, &rec.Error, &rec.Stop} {
		if kept, ok := r.strings[*s]; ok {
			*s = kept
		} else {
			r.strings[*s] = *s
		}
	}
	for _, name := range sortedKeys(metrics) {
		if _, ok := r.index[name]; !ok {
			r.index[name] = len(r.names)
			r.names = append(r.names, name)
		}
	}
	rec.metrics = make([]float64, len(r.names))
	for i, name := range r.names {
		v, ok := metrics[name]
		if !ok {
			v = math.NaN()
		}
		rec.metrics[i] = v
	}
	r.records = append(r.records, rec)
}

// settle puts the records in order and numbers the rollouts of files that do not.
func (r *Results) settle() { r.records = savedrow.Settle(r.records, rowOf) }

// byExample groups the records, in order.
func (r *Results) byExample() [][]Record { return savedrow.Groups(r.records, rowOf) }

func rowOf(r *Record) *savedrow.Row { return &r.Row }

// Records are the rollouts, by example and rollout.
func (r *Results) Records() []Record { return r.records }

// Metrics are the names of the metrics, sorted.
func (r *Results) Metrics() []string { return slices.Sorted(slices.Values(r.names)) }

// metric is a record's value, if it has one.
func (r *Results) metric(rec *Record, name string) (float64, bool) {
	i, ok := r.index[name]
	if !ok || i >= len(rec.metrics) || math.IsNaN(rec.metrics[i]) {
		return 0, false
	}
	return rec.metrics[i], true
}

// values are a metric's values over the rollouts that count.
func (r *Results) values(name string) []float64 {
	var all []float64
	for i := range r.records {
		if v, ok := r.metric(&r.records[i], name); ok && r.records[i].OK() {
			all = append(all, v)
		}
	}
	return all
}

// rewards are the rewards of the rollouts that count.
func (r *Results) rewards() []float64 {
	var all []float64
	for i := range r.records {
		if r.records[i].OK() {
			all = append(all, r.records[i].Reward)
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

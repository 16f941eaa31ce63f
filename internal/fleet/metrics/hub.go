// Package metrics shows what a fleet does as Prometheus reads it: one page for a hub, one for a worker. Names of workers come
// from other machines and stand in labels only, where the library escapes them. No page holds a key or a payload.
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// prefix is that of all names of ours. Memory, processor time and goroutines have Prometheus' usual names.
const prefix = "deeprepo_fleet_"

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prefix+name, help, labels, nil)
}

// What a hub shows. All hubs of a cluster show the same queues.
var (
	waiting     = desc("waiting_items", "Items that no worker has yet.", "kind")
	running     = desc("running_items", "Items that workers have.", "kind")
	redelivered = desc("redelivered_items", "Items in work that were handed out more than once.", "kind")
	dead        = desc("dead_items", "Items that nobody could finish.", "kind")
	oldest      = desc("oldest_item_age_seconds", "Age of the item that was sent first among those that wait or run.", "kind")
	workers     = desc("workers", "Workers that were heard of lately.")
	slots       = desc("slots", "Items that these workers can do at once.")
	stored      = desc("stored_bytes", "What queues, results and payloads take on this hub's disk.")
	info        = desc("worker_info", "1 for each worker.", "worker", "version")
)

// Fleet is one that a hub holds.
type Fleet struct {
	// Tenant is in a label of all its figures, where it is not "".
	Tenant string
	// Status and Stored are asked at every scrape: nothing here is older than that.
	Status func(context.Context) (fleet.Status, error)
	Stored func() (uint64, error)
}

// hub is a Fleet as Prometheus asks it.
type hub struct{ Fleet }

// Hub is a hub's page. A scrape for which the hub does not answer fails: no figure is better than an old one.
func Hub(fleets ...Fleet) http.Handler {
	var all []prometheus.Collector
	for _, f := range fleets {
		labels := prometheus.Labels{}
		if f.Tenant != "" {
			labels["tenant"] = f.Tenant
		}
		all = append(all, prometheus.WrapCollectorWith(labels, hub{f}))
	}
	return page(all...)
}

// patience is how long a hub may take for its answer; Prometheus waits 10 s by default.
const patience = 8 * time.Second

// Describe is empty: what there is follows from what the hub says.
func (hub) Describe(chan<- *prometheus.Desc) {}

// Collect asks the hub.
func (h hub) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := h.Status(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(workers, err)
		return
	}
	bytes, err := h.Stored()
	if err != nil {
		out <- prometheus.NewInvalidMetric(stored, err)
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		m, err := prometheus.NewConstMetric(d, prometheus.GaugeValue, v, labels...)
		if err != nil {
			m = prometheus.NewInvalidMetric(d, err)
		}
		out <- m
	}
	for _, q := range s.Queues {
		kind := string(q.Kind)
		gauge(waiting, float64(q.Waiting), kind)
		gauge(running, float64(q.Running), kind)
		gauge(redelivered, float64(q.Again), kind)
		gauge(dead, float64(q.Dead), kind)
		gauge(oldest, q.OldestSeconds, kind)
	}
	places := 0
	for _, w := range s.Workers {
		places += w.Slots
		gauge(info, 1, w.Name, w.Version)
	}
	gauge(workers, float64(len(s.Workers)))
	gauge(slots, float64(places))
	gauge(stored, float64(bytes))
}

// page shows collectors, and what this process takes of its machine.
func page(ours ...prometheus.Collector) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewGoCollector())
	r.MustRegister(ours...)
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

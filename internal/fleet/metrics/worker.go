package metrics

import (
	"net/http"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/prometheus/client_golang/prometheus"
)

// Worker counts what one worker does: a [fleet.Meter] with a page.
type Worker struct {
	slots         prometheus.Gauge
	running, info *prometheus.GaugeVec
	done, faults  *prometheus.CounterVec
	seconds       *prometheus.HistogramVec
}

// NewWorker begins at nothing done. kinds are those that the worker does.
func NewWorker(name, version string, places int, kinds []fleet.Kind) *Worker {
	opts := func(name, help string) prometheus.Opts { return prometheus.Opts{Name: prefix + name, Help: help} }
	kind := []string{"kind"}
	w := &Worker{
		running: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("worker_running_items", "Items in work.")), kind),
		slots:   prometheus.NewGauge(prometheus.GaugeOpts(opts("worker_slots", "Items that this worker can do at once."))),
		info: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("worker_info", "1 for each worker.")),
			[]string{"worker", "version"}),
		done: prometheus.NewCounterVec(prometheus.CounterOpts(opts("worker_done_items_total", "Items whose results the hub has.")), kind),
		faults: prometheus.NewCounterVec(prometheus.CounterOpts(opts("worker_faults_total",
			"Items that failed on this machine and went to another one.")), kind),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + "worker_item_seconds",
			Help:    "How long an item took, its result stored.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 16)}, kind), // 5 ms to 164 s
	}
	w.slots.Set(float64(places))
	w.info.WithLabelValues(name, version).Set(1)
	for _, k := range kinds { // a rate needs the 0 that it grew from
		w.running.WithLabelValues(string(k))
		w.done.WithLabelValues(string(k))
		w.faults.WithLabelValues(string(k))
		w.seconds.WithLabelValues(string(k))
	}
	return w
}

// Page is what Prometheus reads.
func (w *Worker) Page() http.Handler {
	return page(w.running, w.slots, w.info, w.done, w.faults, w.seconds)
}

// Begun counts an item in.
func (w *Worker) Begun(k fleet.Kind) { w.running.WithLabelValues(string(k)).Inc() }

// Ended counts it out.
func (w *Worker) Ended(k fleet.Kind, took time.Duration) {
	w.running.WithLabelValues(string(k)).Dec()
	w.seconds.WithLabelValues(string(k)).Observe(took.Seconds())
}

// Done counts a result.
func (w *Worker) Done(k fleet.Kind) { w.done.WithLabelValues(string(k)).Inc() }

// Fault counts an item given back.
func (w *Worker) Fault(k fleet.Kind) { w.faults.WithLabelValues(string(k)).Inc() }

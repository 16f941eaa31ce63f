package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/fleet/metrics"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scrape reads a page as Prometheus does.
func scrape(t *testing.T, page http.Handler) map[string]*dto.MetricFamily {
	t.Helper()
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// value is what a family says, of programs where it tells kinds apart.
func value(t *testing.T, families map[string]*dto.MetricFamily, name string) float64 {
	t.Helper()
	metrics := slices.DeleteFunc(slices.Clone(families[name].GetMetric()), func(m *dto.Metric) bool {
		kind := label(m, "kind")
		return kind != "" && kind != string(fleet.KindJudge)
	})
	if len(metrics) != 1 {
		t.Fatalf("%s: %v", name, families[name])
	}
	m := metrics[0]
	switch {
	case m.Gauge != nil:
		return m.GetGauge().GetValue()
	case m.Counter != nil:
		return m.GetCounter().GetValue()
	}
	return float64(m.GetHistogram().GetSampleCount())
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}

// box blocks every program until it may go on; the first one fails, as a machine does.
type box struct {
	began, free chan struct{}
	once        sync.Once
}

func (b *box) Exec(_ context.Context, p sandbox.Program) (_ sandbox.Judgement, err error) {
	b.once.Do(func() { err = errors.New("the disk is full") })
	if err == nil {
		b.began <- struct{}{}
		<-b.free
	}
	return sandbox.Judgement{Verdict: sandbox.Passed, Stdout: p.Code}, err
}

func TestPagesSayWhatTheStatusSays(t *testing.T) {
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: t.TempDir(), Build: "b", Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	dial := func(role hub.Role) *fleet.Conn {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(role), Build: "b"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	b := &box{began: make(chan struct{}), free: make(chan struct{})}
	meter := metrics.NewWorker("one", "v1", 2, fleet.Kinds())
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- dial(hub.RoleWorker).Work(ctx, fleet.Work{Name: "one", Slots: 2, Meter: meter,
			Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(b)}})
	}()
	asker := dial(hub.RoleCoordinator)
	pool, err := asker.Pool(fleet.KindJudge)
	if err != nil {
		t.Fatal(err)
	}
	const items = 5
	var wg sync.WaitGroup
	for i := range items {
		wg.Go(func() {
			if _, err := pool.Do(t.Context(), fmt.Appendf(nil, `{"programs":[{"Code":"%d"}]}`, i)); err != nil {
				t.Error(err)
			}
		})
	}
	<-b.began // both slots are busy
	<-b.began

	own, err := h.Dial(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.Close)
	page := metrics.Hub(metrics.Fleet{Status: own.Status, Stored: func() (uint64, error) { return h.Stored("") }})
	// compare waits until the worker has said what it does, since a status is what workers said last.
	compare := func(waiting uint64, running int, done int64) {
		t.Helper()
		var s fleet.Status
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if s, err = asker.Status(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(s.Workers) == 1 && s.Workers[0].Done == done && s.Workers[0].Running == running && s.Queues[0].Waiting == waiting {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%+v", s)
			}
		}
		atHub, atWorker := scrape(t, page), scrape(t, meter.Page())
		q, w := s.Queues[0], s.Workers[0]
		for _, c := range []struct {
			families map[string]*dto.MetricFamily
			name     string
			want     float64
		}{
			{atHub, "deeprepo_fleet_waiting_items", float64(q.Waiting)},
			{atHub, "deeprepo_fleet_running_items", float64(q.Running)},
			{atHub, "deeprepo_fleet_dead_items", float64(q.Dead)},
			{atHub, "deeprepo_fleet_redelivered_items", float64(q.Again)},
			{atHub, "deeprepo_fleet_workers", 1},
			{atHub, "deeprepo_fleet_slots", float64(w.Slots)},
			{atWorker, "deeprepo_fleet_worker_done_items_total", float64(w.Done)},
			{atWorker, "deeprepo_fleet_worker_faults_total", float64(w.Faults)},
			{atWorker, "deeprepo_fleet_worker_running_items", float64(w.Running)},
			{atWorker, "deeprepo_fleet_worker_slots", float64(w.Slots)},
			{atWorker, "deeprepo_fleet_worker_item_seconds", float64(w.Done + w.Faults)},
		} {
			if got := value(t, c.families, c.name); got != c.want {
				t.Errorf("%s is %v, and the status says %v", c.name, got, c.want)
			}
		}
		if got := value(t, atHub, "deeprepo_fleet_oldest_item_age_seconds"); got < q.OldestSeconds || got > q.OldestSeconds+5 {
			t.Errorf("the oldest item is %v s old, and the status says %v", got, q.OldestSeconds)
		}
		for _, name := range []string{"deeprepo_fleet_stored_bytes", "process_resident_memory_bytes"} {
			if value(t, atHub, name) <= 0 {
				t.Errorf("%s is 0", name)
			}
		}
		for _, page := range []map[string]*dto.MetricFamily{atHub, atWorker} {
			if m := page["deeprepo_fleet_worker_info"].GetMetric(); len(m) != 1 || label(m[0], "worker") != "one" || label(m[0], "version") != "v1" {
				t.Errorf("%v", m)
			}
		}
	}
	compare(items-3, 2, 0) // one failed and comes again after a second: it is neither waiting nor in work here
	close(b.free)
	go func() {
		for range b.began { // the rest
			continue
		}
	}()
	wg.Wait()
	compare(0, 0, items)
	close(b.began)
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Names are other people's words: they end in a label, whatever they hold.
func TestAHostileNameIsALabel(t *testing.T) {
	name := "a\",x=\"\\\"} 1\ndeeprepo_fleet_dead_items{kind=\"judge\"} 99\n# é\x00"
	status := func(context.Context) (fleet.Status, error) {
		return fleet.Status{Workers: []fleet.WorkerStatus{{Name: name, Version: name, Slots: 3}}}, nil
	}
	families := scrape(t, metrics.Hub(metrics.Fleet{Status: status, Stored: func() (uint64, error) { return 1, nil }}))
	m := families["deeprepo_fleet_worker_info"].GetMetric()
	if len(m) != 1 || label(m[0], "worker") != name || label(m[0], "version") != name {
		t.Errorf("%v", m)
	}
	if families["deeprepo_fleet_dead_items"] != nil {
		t.Error("a name became a figure")
	}
	own := scrape(t, metrics.NewWorker(name, name, 1, fleet.Kinds()).Page())
	if m := own["deeprepo_fleet_worker_info"].GetMetric(); len(m) != 1 || label(m[0], "worker") != name {
		t.Errorf("%v", m)
	}
}

// Of a hub with tenants every figure says whose it is; of one without, none does.
func TestFiguresOfTenants(t *testing.T) {
	of := func(tenant string, slots int) metrics.Fleet {
		return metrics.Fleet{Tenant: tenant, Stored: func() (uint64, error) { return uint64(slots), nil },
			Status: func(context.Context) (fleet.Status, error) {
				return fleet.Status{Workers: []fleet.WorkerStatus{{Name: "one", Slots: slots}},
					Queues: []fleet.QueueStatus{{Kind: fleet.KindJudge}}}, nil
			}}
	}
	families := scrape(t, metrics.Hub(of("a", 1), of("b", 2)))
	for name, f := range families {
		if !strings.HasPrefix(name, "deeprepo_fleet_") {
			continue
		}
		tenants := map[string]int{}
		for _, m := range f.GetMetric() {
			tenants[label(m, "tenant")]++
			want := map[string]float64{"a": 1, "b": 2}[label(m, "tenant")]
			if strings.HasSuffix(name, "_slots") && m.GetGauge().GetValue() != want {
				t.Errorf("%v: not %v", m, want)
			}
		}
		if tenants["a"] != 1 || tenants["b"] != 1 || len(tenants) != 2 {
			t.Errorf("%s: %v", name, tenants)
		}
	}
	if len(families["deeprepo_fleet_stored_bytes"].GetMetric()) != 2 {
		t.Errorf("%v", families)
	}
	for _, l := range scrape(t, metrics.Hub(of("", 1)))["deeprepo_fleet_slots"].GetMetric()[0].GetLabel() {
		t.Errorf("without tenants there is the label %s", l.GetName())
	}
}

// No figure is better than an old one.
func TestAScrapeFailsWhereTheHubDoesNotAnswer(t *testing.T) {
	full := func() (uint64, error) { return 0, errors.New("no disk") }
	for want, page := range map[string]http.Handler{
		"the hub is away": metrics.Hub(metrics.Fleet{Stored: full, Status: func(context.Context) (fleet.Status, error) {
			return fleet.Status{}, errors.New("the hub is away")
		}}),
		"no disk": metrics.Hub(metrics.Fleet{Stored: full, Status: func(context.Context) (fleet.Status, error) { return fleet.Status{}, nil }}),
	} {
		w := httptest.NewRecorder()
		page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	}
}

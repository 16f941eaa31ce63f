package telemetry

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.uber.org/goleak"
)

// settings gives the test an environment with these variables of the exporter and no others.
func settings(t *testing.T, set map[string]string) {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS",
		"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"} {
		t.Setenv(name, set[name])
	}
}

func span(name string) {
	_, s := otel.Tracer("test").Start(context.Background(), name)
	s.SetAttributes(attribute.String("text", strings.Repeat("x", 100)))
	s.End()
}

// sent is a request to a collector.
type sent struct{ path, key, body string }

// collector takes what it is sent.
func collector(t *testing.T) (address string, got <-chan sent) {
	c := make(chan sent, 10)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c <- sent{r.URL.Path, r.Header.Get("Key"), string(body)}
	}))
	t.Cleanup(srv.Close)
	return srv.URL, c
}

func unwanted(t *testing.T) func(string) {
	return func(line string) { t.Errorf("it warns: %s", line) }
}

func TestSpansReachTheCollector(t *testing.T) {
	for _, tt := range []struct{ variable, path, wantPath string }{
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "", "/v1/traces"},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/here", "/here"},
	} {
		address, got := collector(t)
		settings(t, map[string]string{tt.variable: address + tt.path, "OTEL_EXPORTER_OTLP_HEADERS": "key=secret"})
		stop := Start("v7", unwanted(t))
		span("a span")
		stop()
		select {
		case s := <-got:
			if s.path != tt.wantPath || s.key != "secret" {
				t.Errorf("%s: sent to %s with key %q", tt.variable, s.path, s.key)
			}
			for _, want := range []string{"a span", "service.name", "deeprepo", "service.version", "v7"} {
				if !strings.Contains(s.body, want) {
					t.Errorf("%s: no %q in what was sent", tt.variable, want)
				}
			}
		default:
			t.Errorf("%s: nothing was sent", tt.variable)
		}
	}
}

func TestNothingWithoutACollector(t *testing.T) {
	address, got := collector(t)
	for _, set := range []map[string]string{
		{},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_SDK_DISABLED": "true"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_TRACES_EXPORTER": "none"},
	} {
		settings(t, set)
		before := otel.GetTracerProvider()
		goroutines := goleak.IgnoreCurrent()
		stop := Start("v7", unwanted(t))
		if otel.GetTracerProvider() != before {
			t.Errorf("%v: there is a provider of spans", set)
		}
		span("a span")
		if err := goleak.Find(goroutines); err != nil {
			t.Errorf("%v: %v", set, err)
		}
		stop()
	}
	if len(got) > 0 {
		t.Error("something was sent")
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	for _, set := range []map[string]string{
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://\x7f"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http:///path"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "ftp://localhost:4318"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
	} {
		settings(t, set)
		before := otel.GetTracerProvider()
		var warned []string
		Start("v7", func(line string) { warned = append(warned, line) })()
		if len(warned) != 1 || otel.GetTracerProvider() != before {
			t.Errorf("%v: %q", set, warned)
		}
	}
}

// A collector that takes connections and never answers: spans are dropped and nobody waits for it.
func TestADeadCollectorSlowsNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	goroutines := goleak.IgnoreCurrent()
	defer func() {
		l.Close()
		goleak.VerifyNone(t, goroutines) // the request that hung has ended, too
	}()
	settings(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + l.Addr().String()})
	warned := make(chan string, 100)
	stop := Start("v7", func(line string) { warned <- line })
	made, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		for i := range 20_000 { // many times the queue
			span(fmt.Sprint(i))
		}
		close(made)
		stop()
		close(stopped)
	}()
	within(t, "making spans", made, 5*time.Second) // the exporter gives up a request after ten
	within(t, "the end", stopped, flush+3*time.Second)
	if len(warned) != 1 {
		t.Errorf("%d warnings", len(warned))
	}
}

// Nobody listens at all: the end is not waited for, and the user is told once.
func TestACollectorThatIsAway(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	settings(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + l.Addr().String()})
	var warned []string
	stop := Start("v7", func(line string) { warned = append(warned, line) })
	for range 2000 { // several requests
		span("a span")
	}
	stop()
	if len(warned) != 1 || !strings.Contains(warned[0], "refused") {
		t.Errorf("%q", warned)
	}
}

// What a collector has no room for is dropped: the end of a command does not wait until it has.
func TestAFullCollectorIsAskedOnce(t *testing.T) {
	var asked atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, strings.Repeat("I am full\n\x1b[31m", 1000))
	}))
	defer srv.Close()
	settings(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": srv.URL})
	var warned []string
	stop := Start("v7", func(line string) { warned = append(warned, line) })
	span("a span")
	stop()
	if asked.Load() != 1 || len(warned) != 1 || len(warned[0]) > 300 || strings.ContainsAny(warned[0], "\n\x1b") ||
		!strings.Contains(warned[0], "I am full") { // else it was waited for
		t.Errorf("asked %d times, %q", asked.Load(), warned)
	}
}

func within(t *testing.T, what string, done <-chan struct{}, most time.Duration) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(most):
		t.Fatalf("%s takes longer than %v", what, most)
	}
}

// Package telemetry sends this program's spans to an OpenTelemetry collector, if the standard variables name one. Packages
// make their spans through otel.Tracer and know nothing of this one: until [Start] has found a collector, a span is nothing.
//
// A collector can neither slow nor fail a command: spans wait in a queue of bounded length, what does not fit or is not taken
// is dropped, and the user is told once.
package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// flush is how long the end of a command may wait for the collector.
const flush = 2 * time.Second

// Start has spans sent to the collector that OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT names. The
// other standard variables hold, too. With neither set it does nothing. The function it returns sends what is left, for two
// seconds at most. warn is told one line at most, by any goroutine.
func Start(version string, warn func(string)) (stop func()) {
	protocol, address := variable("PROTOCOL"), variable("ENDPOINT")
	if address == "" || os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return func() {}
	}
	var told sync.Once
	lost := func(err error) {
		told.Do(func() {
			warn("traces are lost, and nothing else is: " + termtext.Left(termtext.Inline(err.Error()), 200))
		})
	}
	otel.SetLogger(logr.Discard()) // it would print headers that it cannot read, and they hold keys
	exporter, err := exporter(address, protocol)
	if err != nil {
		lost(err)
		return func() {}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(lost))
	about, err := resource.New(context.Background(), resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "deeprepo"), attribute.String("service.version", version)),
		resource.WithFromEnv())
	if err != nil {
		lost(err) // what could be read of it is there
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), flush)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			lost(err)
		}
	}
}

// variable is a setting of the exporter, the one for traces first.
func variable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// exporter reads its settings from the environment itself, and goes to its default address where it cannot read one. It tries
// once: while it tried again, a command would not end.
func exporter(address, protocol string) (trace.SpanExporter, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("the collector's address is not http://HOST:PORT or https://HOST:PORT")
	case protocol == "grpc":
		return nil, errors.New("OTEL_EXPORTER_OTLP_PROTOCOL is grpc; http/protobuf and http/json are spoken here")
	}
	e, err := otlptracehttp.New(context.Background(), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}))
	if err != nil {
		return nil, fmt.Errorf("the collector: %w", err)
	}
	return e, nil
}
